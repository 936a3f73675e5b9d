/** Opens connections to Redis, which carries notifications and shared counts. It is optional and has no data that must survive. */
import { type RedisOptions as ClientOptions, Redis, ReplyError } from 'ioredis';
import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';

export type { Redis } from 'ioredis';

export interface RedisOptions {
  /** `redis://` or, for TLS, `rediss://`; `redis+sentinel://` with the addresses of sentinels and the name of a master. */
  readonly url: string;
  /** Called once when the connection is lost or cannot be opened; not called again until it was restored. */
  readonly onLost: (error: Error) => void;
  /** Called when a lost connection is restored. */
  readonly onBack: () => void;
  /** Called when Redis refuses a command, such as a write without memory or permission; at most once in `LIMITS.redisRefusal`. */
  readonly onRefused?: (error: Error) => void;
}

/**
 * Opens a connection, and reconnects whenever it is lost, for as long as it takes. Commands never wait for the connection: a
 * command that cannot be sent at once, or gets no response in time, rejects, and the caller must do without the result.
 *
 * @returns when the first attempt has succeeded or failed, and after `LIMITS.redisFirstAttempt` at the latest. Without waiting,
 *   the server would handle its first requests without Redis. Waiting longer, it would not start while Redis loads its data.
 */
export async function openRedis({ url, onLost, onBack, onRefused }: RedisOptions): Promise<Redis> {
  const redis = createClient(url, {
    connectTimeout: LIMITS.redisTimeout,
    commandTimeout: LIMITS.redisTimeout,
    // Results are useful only at once: commands neither wait for a connection nor are sent again.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) =>
      Math.random() * Math.min(LIMITS.redisRetryPause, 100 * 2 ** Math.min(attempt, 10)),
  });
  refusals.set(redis, { at: Number.NEGATIVE_INFINITY, report: onRefused ?? (() => {}) });
  const { tried, lose } = observe(redis, onLost, onBack);
  const timer = setTimeout(() => lose(new Error('Redis was not ready in time.')), LIMITS.redisFirstAttempt);
  await tried;
  clearTimeout(timer);
  return redis;
}

/** Until when, by `monotonicTime`, nothing is awaited from a connection that was too slow. */
const pauses = new WeakMap<Redis, number>();

/** When Redis last refused a command, by `monotonicTime`. */
const refusals = new WeakMap<Redis, { at: number; readonly report: (error: Error) => void }>();

/** Whether Redis, although it responds, has refused a command within `LIMITS.redisRefusal`. */
export const hasRefused = (redis: Redis): boolean =>
  monotonicTime() - (refusals.get(redis)?.at ?? Number.NEGATIVE_INFINITY) < LIMITS.redisRefusal;

/** Whether requests do without Redis: it is not connected, or has been too slow or refused a command within `LIMITS.redisRefusal`. */
export const isDegraded = (redis: Redis): boolean =>
  redis.status !== 'ready' ||
  hasRefused(redis) ||
  monotonicTime() - (pauses.get(redis) ?? Number.NEGATIVE_INFINITY) < LIMITS.redisRefusal;

/**
 * Awaits a command of a request. If Redis does not respond in time, requests do without it for as long, since otherwise each would wait.
 *
 * @throws the error of the command, or at once while there is no connection or such a pause.
 */
export async function ask<T>(redis: Redis, command: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready' || monotonicTime() < (pauses.get(redis) ?? 0))
    throw new Error('Redis is not available.');
  try {
    return await command();
  } catch (error) {
    pauses.set(redis, monotonicTime() + LIMITS.redisTimeout);
    noteRefusal(redis, error);
    throw error;
  }
}

/** Whether Redis has responded to a command with this error. */
export const isRefusal = (error: unknown): error is Error =>
  // The first check is for the compiler: the package declares the class of replies without a type.
  error instanceof Error && error instanceof ReplyError;

/** Reports an error of a command if it is a refusal by Redis. */
export function noteRefusal(redis: Redis, error: unknown): void {
  const refusal = refusals.get(redis);
  if (!refusal || !isRefusal(error) || hasRefused(redis)) return;
  refusal.at = monotonicTime();
  refusal.report(error);
}

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
    // A demoted master refuses writes: reconnecting queries the sentinels again.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
}

/**
 * Reports when the connection is lost and restored.
 *
 * @returns `tried`, which resolves when the connection is ready, or lost, for the first time; and `lose`, which treats the connection as
 *   lost until it is ready.
 */
function observe(redis: Redis, onLost: (error: Error) => void, onBack: () => void) {
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  let lost = false;
  const lose = (error: Error) => {
    if (lost) return;
    lost = true;
    onLost(error);
    resolve();
  };
  redis.on('error', lose);
  // A server that shuts down cleanly closes the connection, which the client does not report as an error.
  redis.on('reconnecting', () => lose(new Error('The connection was closed.')));
  redis.on('ready', () => {
    if (lost) onBack();
    lost = false;
    resolve();
  });
  return { tried, lose };
}
