/** Redis carries notifications between instances. It is optional and holds no data that must survive. */
import { type RedisOptions as ClientOptions, Redis } from 'ioredis';
import { LIMITS } from '../core/limits.ts';

export type { Redis } from 'ioredis';

export interface RedisOptions {
  /** `redis://` or, for TLS, `rediss://`; `redis+sentinel://` with the addresses of sentinels and the name of a master. */
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
  const redis = createClient(url, {
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

/** The port of sentinels where a URL names none. */
const SENTINEL_PORT = 26_379;

function createClient(url: string, options: Omit<ClientOptions, 'replyMapping' | 'protocol'>): Redis {
  if (!url.startsWith('redis+sentinel:')) return new Redis(url, options);
  const {
    credentials,
    hosts = '',
    name = '',
  } = /^redis\+sentinel:\/\/(?:(?<credentials>[^@/]*)@)?(?<hosts>[^/]*)\/(?<name>.*)$/.exec(url)?.groups ??
  {};
  const [username = '', password = ''] = (credentials ?? '')
    .split(':')
    .map((part) => decodeURIComponent(part));
  return new Redis({
    ...options,
    sentinels: hosts.split(',').map((host) => {
      const [address = '', port = SENTINEL_PORT] = host.split(':');
      return { host: address, port: Number(port) };
    }),
    name,
    ...(username && { username }),
    ...(password && { password }),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
    // A master that was demoted refuses writes: the next connection asks the sentinels again.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
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
