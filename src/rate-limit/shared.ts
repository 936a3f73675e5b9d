import { randomUUID } from 'node:crypto';
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
import { type Debt, Debts } from './debts.ts';

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
 * Creates a budget with buckets that all instances share. While Redis does not respond, each instance uses its own, with
 * `LIMITS.budgetShareAlone` of the points that it last saw and of the refill rate, and takes what it granted from the shared ones later, so
 * that callers gain nothing from a failover of Redis.
 */
export function createSharedBudget({ redis, clock, points, perSecond }: SharedBudgetOptions): Budget {
  const options = { points, perSecond };
  const alone = createMemoryBudget({
    points: Math.ceil(points * LIMITS.budgetShareAlone),
    perSecond: Math.ceil(perSecond * LIMITS.budgetShareAlone),
  });
  const instance = `owed:${randomUUID()}`;
  const debts = new Debts(alone.perSecond);

  /** Takes points from the shared bucket. Undefined if Redis does not respond. */
  const spend = async (key: string, wanted: number, forced: number): Promise<Allowance | undefined> => {
    const debt = debts.find(key, clock()) ?? NO_DEBT;
    try {
      const asked = [points, perSecond, wanted, forced, debt.points, debt.number, instance];
      const answer = await ask(redis, () => redis.eval(SPEND, 1, PREFIX + key, ...asked));
      debts.forget(key, debt);
      // The script returns these values.
      const [granted, level] = answer as [number, string];
      const available = Number(level);
      alone.set(key, available * LIMITS.budgetShareAlone, clock());
      const retryAfter = granted === 1 ? 0 : secondsUntil(wanted, available, options);
      return { granted: granted === 1, available, retryAfter, bucket: 'shared' };
    } catch {
      // The code that opened the connection reports its loss. Here the caller needs a result.
      return undefined;
    }
  };
  /** Milliseconds until the shared bucket is full, as estimated from the instance's own bucket before anything is taken from it. */
  const fullAfter = (key: string, at: Date): number =>
    ((alone.points - alone.take(key, 0, at).available) / alone.perSecond) * 1000;
  /** Takes points from the instance's own bucket. An operation that costs more than its capacity needs a full bucket and overdraws it. */
  const takeAlone = (key: string, wanted: number): Allowance => {
    const at = clock();
    const fullIn = fullAfter(key, at);
    const isMore = wanted > alone.points && wanted <= points;
    const allowance = alone.take(key, isMore ? alone.points : wanted, at);
    if (!allowance.granted) return allowance;
    if (isMore) alone.settle(key, wanted - alone.points, at);
    debts.add(key, wanted, at, fullIn);
    return allowance;
  };
  const settleAlone = (key: string, forced: number) => {
    const at = clock();
    const fullIn = fullAfter(key, at);
    alone.settle(key, forced, at);
    debts.add(key, forced, at, fullIn);
  };
  return {
    ...options,
    async take(key, wanted) {
      return (await spend(key, wanted, 0)) ?? takeAlone(key, wanted);
    },
    async settle(key, forced, _at, bucket) {
      if (bucket === 'own') settleAlone(key, forced);
      else if (!(await spend(key, 0, forced)) && forced > 0) settleAlone(key, forced);
      // Points that cannot be returned to the shared bucket are lost: returned to another one, they would be created from nothing.
    },
  };
}
