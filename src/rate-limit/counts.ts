import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ask, type Redis } from '../cluster/redis.ts';
import { ApiError } from '../core/errors.ts';

/** A counter by key, within windows of time. */
export type Counts = Pick<RateLimiterAbstract, 'points' | 'get' | 'set' | 'penalty' | 'reward' | 'delete'>;

/**
 * Creates a counter by key: at most `points` in a window of `duration` seconds.
 *
 * @param of the name of what is counted, used for its keys in Redis.
 * @param redis shared by all instances. Without Redis, and while it does not respond, this process counts alone.
 */
export function countsOf(of: string, points: number, redis: Redis | undefined, duration: number): Counts {
  const here = new RateLimiterMemory({ points, duration });
  if (!redis) return here;
  const options = { storeClient: redis, points, duration, keyPrefix: `portico:${of}` };
  const shared = new RateLimiterRedis({ ...options, rejectIfRedisNotReady: true });
  const either = <T>(run: (counts: Counts) => Promise<T>): Promise<T> =>
    ask(redis, () => run(shared)).catch(() => run(here));
  return {
    points,
    get: (...args) => either((counts) => counts.get(...args)),
    set: (...args) => either((counts) => counts.set(...args)),
    penalty: (...args) => either((counts) => counts.penalty(...args)),
    reward: (...args) => either((counts) => counts.reward(...args)),
    delete: (...args) => either((counts) => counts.delete(...args)),
  };
}

/** Hashes a key, so that Redis does not reveal whom it identifies. */
export const sealed = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** The error for a caller that has reached a limit. @param milliseconds until its next request is allowed. */
export const tooMany = (message: string, milliseconds: number): ApiError =>
  new ApiError('rate_limited', { message, retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
