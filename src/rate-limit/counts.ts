import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '../cluster/redis.ts';

/**
 * Counts by key, within a window of time.
 *
 * @param of names what is counted, and so its keys in Redis.
 * @param points how many there may be in a window.
 * @param duration of a window, in seconds.
 * @param redis where all instances count together; this process counts by itself without it, and while it does not answer.
 */
export function countsOf(
  of: string,
  points: number,
  redis: Redis | undefined,
  duration: number,
): RateLimiterAbstract {
  const here = new RateLimiterMemory({ points, duration });
  if (!redis) return here;
  return new RateLimiterRedis({
    storeClient: redis,
    points,
    duration,
    keyPrefix: `portico:${of}`,
    insuranceLimiter: here,
    rejectIfRedisNotReady: true,
  });
}

/** Hashed, so that Redis does not reveal whom it is about. */
export const sealed = (key: string): string => createHash('sha256').update(key).digest('base64url');
