import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ask, type Redis } from '../cluster/redis.ts';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import {
  type Allowance,
  type Budget,
  type BudgetOptions,
  createMemoryBudget,
  secondsUntil,
} from './budget.ts';

/**
 * Reads, refills, charges and writes one bucket atomically, by the clock of Redis, so that instances need not agree on the time. Forced
 * points and a debt are always taken, even below 0; wanted points only if the bucket holds all of them. The part of a debt that was taken is
 * stored with the bucket, per instance, since an instance that got no response in time sends the debt again. The key expires when the
 * bucket is full again.
 */
const SPEND = `
local capacity, rate, wanted, forced = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local owed, debt, instance = tonumber(ARGV[5]), ARGV[6], ARGV[7]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local saved = redis.call('HMGET', KEYS[1], 'points', 'at')
local level = tonumber(saved[1]) or capacity
local passed = math.max(0, now - (tonumber(saved[2]) or now))
level = math.min(capacity, level + passed * rate / 1000)
if owed > 0 then
  local former, taken = string.match(redis.call('HGET', KEYS[1], instance) or '', '^(%S+) (%S+)$')
  taken = former == debt and tonumber(taken) or 0
  if owed > taken then
    level = level - (owed - taken)
    redis.call('HSET', KEYS[1], instance, debt .. ' ' .. tostring(owed))
  end
end
level = math.min(capacity, level - forced)
local granted = 0
if level >= wanted then
  granted = 1
  level = level - wanted
end
redis.call('HSET', KEYS[1], 'points', tostring(level), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - level) / rate * 1000) + 1000)
return {granted, tostring(level)}
`;

const NO_DEBT: Debt = { number: 0, points: 0 };

const PREFIX = 'portico:budget:';

interface SharedBudgetOptions extends BudgetOptions {
  readonly redis: Redis;
  readonly clock: Clock;
}

/**
 * Creates a budget with buckets that all instances share. While Redis does not respond, each instance uses its own, and what it granted is
 * taken from the shared ones later, so that callers gain nothing from a failover of Redis.
 */
export function createSharedBudget({ redis, clock, ...options }: SharedBudgetOptions): Budget {
  const alone = createBudgetAlone(options, clock);
  const spend = createSpending({ redis, clock, ...options }, alone);
  return {
    ...options,
    async take(key, wanted) {
      return (await spend(key, wanted, 0)) ?? alone.take(key, wanted);
    },
    async settle(key, forced, _at, bucket) {
      if (bucket === 'own') alone.settle(key, forced);
      else if (!(await spend(key, 0, forced)) && forced > 0) alone.settle(key, forced);
      // Points that cannot be returned to the shared bucket are lost: returned to another one, they would be created from nothing.
    },
  };
}

type BudgetAlone = ReturnType<typeof createBudgetAlone>;

/** Returns a function that takes points from the shared bucket, and what the instance owes it. Undefined if Redis does not respond. */
function createSpending({ redis, clock, points, perSecond }: SharedBudgetOptions, alone: BudgetAlone) {
  const instance = `owed:${randomUUID()}`;
  const { debts } = alone;
  return async (key: string, wanted: number, forced: number): Promise<Allowance | undefined> => {
    const debt = debts.find(key, clock()) ?? NO_DEBT;
    try {
      const asked = [points, perSecond, wanted, forced, debt.points, debt.number, instance];
      const answer = await ask(redis, () => redis.eval(SPEND, 1, PREFIX + key, ...asked));
      debts.forget(key, debt);
      // The script returns these values.
      const [granted, level] = answer as [number, string];
      const available = Number(level);
      alone.set(key, available);
      const retryAfter = granted === 1 ? 0 : secondsUntil(wanted, available, { points, perSecond });
      return { granted: granted === 1, available, retryAfter, bucket: 'shared' };
    } catch {
      // The code that opened the connection reports its loss. Here the caller needs a result.
      return undefined;
    }
  };
}

/** Creates an instance's own buckets, with `LIMITS.budgetShareAlone` of the points and of the refill rate. What they grant is noted as debts. */
function createBudgetAlone({ points, perSecond }: BudgetOptions, clock: Clock) {
  const own = createMemoryBudget({
    points: Math.ceil(points * LIMITS.budgetShareAlone),
    perSecond: Math.ceil(perSecond * LIMITS.budgetShareAlone),
  });
  const debts = new Debts(own.perSecond);
  /** Milliseconds until the shared bucket is full, as estimated from the instance's own bucket before anything is taken from it. */
  const fullAfter = (key: string, at: Date): number =>
    ((own.points - own.take(key, 0, at).available) / own.perSecond) * 1000;
  return {
    debts,
    /** Notes the points that the shared bucket holds. */
    set: (key: string, available: number) => own.set(key, available * LIMITS.budgetShareAlone, clock()),
    /** An operation that costs more than the capacity of a bucket needs a full one and overdraws it. */
    take(key: string, wanted: number): Allowance {
      const at = clock();
      const fullIn = fullAfter(key, at);
      const isMore = wanted > own.points && wanted <= points;
      const allowance = own.take(key, isMore ? own.points : wanted, at);
      if (!allowance.granted) return allowance;
      if (isMore) own.settle(key, wanted - own.points, at);
      debts.add(key, wanted, at, fullIn);
      return allowance;
    },
    settle(key: string, forced: number): void {
      const at = clock();
      const fullIn = fullAfter(key, at);
      own.settle(key, forced, at);
      debts.add(key, forced, at, fullIn);
    },
  };
}

/** Points that an instance granted from its own bucket of one caller. */
interface Debt {
  /** The number of the debt within the instance. */
  readonly number: number;
  readonly points: number;
}

interface GrowingDebt extends Debt {
  points: number;
  /** When `points` was last updated, in milliseconds since the epoch; initially, when the shared bucket would be full. */
  at: number;
}

/**
 * Points that an instance granted from its own buckets, and still owes the shared ones. A shared bucket would have become full meanwhile, so
 * refills from that time on reduce the debt: a caller who spends little must not be refused for long after a long outage.
 */
class Debts {
  readonly #debts = new LRUCache<string, GrowingDebt>({ max: LIMITS.budgets });
  readonly #perSecond: number;
  #last = 0;

  /** @param perSecond points per second that refill a bucket of this instance. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Adds points that were granted, or returned. A new debt begins when the shared bucket would be full, `fullIn` milliseconds from now. */
  add(key: string, points: number, at: Date, fullIn: number): void {
    const known = this.#current(key, at);
    if (known) known.points += points;
    else if (points > 0) {
      this.#last += 1;
      this.#debts.set(key, { number: this.#last, points, at: at.getTime() + fullIn });
    }
    // Points that are returned after their debt was taken from the shared bucket are lost, so that none are created from nothing.
    if (known && known.points <= 0) this.#debts.delete(key);
  }

  find(key: string, at: Date): Debt | undefined {
    const debt = this.#current(key, at);
    return debt && { ...debt };
  }

  /** Removes a debt that was taken from the shared bucket, unless it has grown since. */
  forget(key: string, { number, points }: Debt): void {
    const debt = this.#debts.get(key);
    if (debt?.number === number && debt.points <= points) this.#debts.delete(key);
  }

  #current(key: string, at: Date): GrowingDebt | undefined {
    const debt = this.#debts.get(key);
    const passed = debt ? at.getTime() - debt.at : 0;
    if (debt && passed > 0) {
      debt.points -= (passed * this.#perSecond) / 1000;
      debt.at += passed;
      if (debt.points <= 0) this.#debts.delete(key);
    }
    return debt && debt.points > 0 ? debt : undefined;
  }
}
