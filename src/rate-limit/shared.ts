import type { Redis } from '../cluster/redis.ts';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { type BudgetOptions, secondsUntil } from './bucket.ts';
import type { Allowance, Budget } from './budget.ts';
import { createMemoryBudget } from './memory.ts';

/**
 * One bucket, read, filled, spent from and written in one step, by Redis's own clock: instances need not agree on the time.
 * The key is forgotten when the bucket is full again.
 */
const SPEND = `
local capacity, rate, points, forced = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local saved = redis.call('HMGET', KEYS[1], 'points', 'at')
local level = tonumber(saved[1]) or capacity
local passed = math.max(0, now - (tonumber(saved[2]) or now))
level = math.min(capacity, level + passed * rate / 1000)
local granted = 0
if forced or level >= points then
  granted = 1
  level = math.min(capacity, level - points)
end
redis.call('HSET', KEYS[1], 'points', tostring(level), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - level) / rate * 1000) + 1000)
return {granted, tostring(level)}
`;

const PREFIX = 'portico:budget:';

export interface SharedBudgetOptions extends BudgetOptions {
  readonly redis: Redis;
  readonly clock: Clock;
}

/**
 * Buckets that all instances share. While Redis does not answer, each instance has buckets of its own, of
 * `LIMITS.budgetShareAlone` of the points: a bounded share while Redis is away.
 */
export function createSharedBudget({ redis, clock, points, perSecond }: SharedBudgetOptions): Budget {
  const options = { points, perSecond };
  const alone = createMemoryBudget({
    points: Math.ceil(points * LIMITS.budgetShareAlone),
    perSecond: Math.ceil(perSecond * LIMITS.budgetShareAlone),
  });
  /** By `monotonicTime`: until then requests do not wait for a Redis that was too slow. */
  let pause = 0;

  /** Undefined when Redis does not answer. */
  const spend = async (key: string, wanted: number, forced: boolean): Promise<Allowance | undefined> => {
    if (redis.status !== 'ready' || monotonicTime() < pause) return undefined;
    try {
      const answer = await redis.eval(SPEND, 1, PREFIX + key, points, perSecond, wanted, forced ? '1' : '0');
      // What the script returns.
      const [granted, level] = answer as [number, string];
      const available = Number(level);
      const retryAfter = granted === 1 ? 0 : secondsUntil(wanted, available, options);
      return { granted: granted === 1, available, retryAfter, bucket: 'shared' };
    } catch {
      // The connection's opener reports its loss. Here the caller needs a result.
      pause = monotonicTime() + LIMITS.redisTimeout;
      return undefined;
    }
  };
  /** What costs more than the share takes all of it and leaves a debt: with the shared bucket it would run, too. */
  const takeAlone = (key: string, wanted: number): Allowance => {
    const at = clock();
    if (wanted <= alone.points || wanted > points) return alone.take(key, wanted, at);
    const allowance = alone.take(key, alone.points, at);
    if (allowance.granted) alone.settle(key, wanted - alone.points, at);
    return allowance;
  };
  return {
    ...options,
    async take(key, wanted) {
      return (await spend(key, wanted, false)) ?? takeAlone(key, wanted);
    },
    async settle(key, forced, _at, bucket) {
      if (bucket === 'own') alone.settle(key, forced, clock());
      else if (!(await spend(key, forced, true)) && forced > 0) alone.settle(key, forced, clock());
      // What cannot be given back to the shared bucket is lost: given to another one, points would come from nowhere.
    },
  };
}
