import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '../cluster/redis.ts';

/**
 * Creates a counter by key, within windows of time.
 *
 * @param of the name of what is counted, used for its keys in Redis.
 * @param points the limit per window.
 * @param redis shared by all instances. Without Redis, and while it does not respond, this process counts alone.
 * @param duration the length of a window, in seconds.
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

/** Hashes a key, so that Redis does not reveal whom it identifies. */
export const sealed = (key: string): string => createHash('sha256').update(key).digest('base64url');
