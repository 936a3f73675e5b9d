/** Redis carries notifications between instances. It is optional and holds no data that must survive. */
import { Redis } from 'ioredis';
import { LIMITS } from '../core/limits.ts';

export type { Redis } from 'ioredis';

export interface RedisOptions {
  /** `redis://` or, for TLS, `rediss://`. */
  readonly url: string;
  /** Called once when the connection is lost or cannot be made, and not again before it was there. */
  readonly onLost: (error: Error) => void;
  /** Called when the connection is there again after it was lost. */
  readonly onBack: () => void;
}

/**
 * Opens a connection, and makes it anew for as long as it takes whenever it is lost. A command never waits for it: one that
 * cannot be sent at once, or is not answered in time, rejects, and it is for the caller to do without.
 *
 * @returns once the first attempt has ended, well or not, and after `LIMITS.redisFirstAttempt` at the latest: a server that did
 *   not wait for it would be by itself for its first requests, and one that waited for longer would not serve at all while a
 *   Redis reads its data.
 */
export async function openRedis({ url, onLost, onBack }: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    connectTimeout: LIMITS.redisTimeout,
    commandTimeout: LIMITS.redisTimeout,
    // A command is worth something now or not at all: none waits for a connection, none is sent a second time.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) =>
      Math.random() * Math.min(LIMITS.redisRetryPause, 100 * 2 ** Math.min(attempt, 10)),
  });
  const { tried, lose } = observe(redis, onLost, onBack);
  const timer = setTimeout(() => lose(new Error('Redis was not ready in time.')), LIMITS.redisFirstAttempt);
  await tried;
  clearTimeout(timer);
  return redis;
}

interface Observed {
  /** Resolves when the connection is there, or lost, for the first time. */
  readonly tried: Promise<void>;
  /** Takes the connection for lost until it is ready. */
  readonly lose: (reason: Error) => void;
}

function observe(redis: Redis, onLost: (error: Error) => void, onBack: () => void): Observed {
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  let lost = false;
  const lose = (error: Error) => {
    if (lost) return;
    lost = true;
    onLost(error);
    resolve();
  };
  redis.on('error', lose);
  // A server that goes away in good order closes the connection, which is no error to the client.
  redis.on('reconnecting', () => lose(new Error('The connection was closed.')));
  redis.on('ready', () => {
    if (lost) onBack();
    lost = false;
    resolve();
  });
  return { tried, lose };
}
