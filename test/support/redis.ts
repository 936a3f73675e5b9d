/** Redis servers that only one test uses, and can stop and start. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type afterAll, afterEach, inject, type TestContext } from 'vitest';
import { openRedis, type RedisOptions } from '../../src/cluster/redis.ts';
import { acceptsConnections, freePort, waitUntil } from './process.ts';

/** Returns the URL of the Redis that all tests share. Skips the test with the reason if there is none. */
export function sharedRedis(skip: TestContext['skip']): string {
  const redis = inject('redis');
  if ('reason' in redis) skip(`there is no Redis: ${redis.reason}`);
  // `skip` above ends the test.
  return (redis as { url: string }).url;
}

/** Milliseconds in which Redis responds even on a busy machine. */
const PATIENCE = 120_000;

/**
 * Connects as a server does, but waits for the connection and for every response however long they take: a machine that was busy for
 * `LIMITS.redisTimeout` is not an outage of Redis. A lost connection is noticed at once nevertheless.
 */
export async function connectPatiently(url: string, reports: Partial<RedisOptions> = {}): Promise<Redis> {
  const redis = await openRedis({ url, onLost: () => undefined, onBack: () => undefined, ...reports });
  redis.options.commandTimeout = PATIENCE;
  await waitUntil(() => redis.status === 'ready', 'the connection to Redis');
  return redis;
}

export interface OwnRedis {
  readonly url: string;
  readonly port: number;
  /** Kills the server, to simulate the failure of its machine. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** A master with a replica, and a sentinel that promotes the replica if the master fails. */
interface WatchedRedis {
  /** The URL by which a server finds the current master through the sentinel. */
  readonly url: string;
  readonly master: OwnRedis;
  readonly replica: OwnRedis;
}

/** The name of the master in the sentinel's configuration. */
const MASTER = 'orders';

/**
 * Starts Redis servers and stops them after each test. Call it once at the top of a test file.
 *
 * @param end `afterAll` if the tests of a file share their servers.
 */
export function manageRedis(end: typeof afterEach | typeof afterAll = afterEach): {
  /** @param options additional options of redis-server. It always listens on 127.0.0.1 only and stores nothing on disk. */
  start(skip: TestContext['skip'], ...options: readonly string[]): Promise<OwnRedis>;
  /** Resolves when the replica is in sync with the master. */
  startWatched(skip: TestContext['skip']): Promise<WatchedRedis>;
} {
  const running = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of running) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  end(killAll);
  const directories = new Set<string>();
  end(async () => {
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  });
  const manager: ReturnType<typeof manageRedis> = {
    async start(skip, ...options) {
      const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
      skip(!isInstalled, 'redis-server is not installed');
      const port = await freePort();
      // A replica writes the data of the initial synchronization to this directory.
      const directory = await mkdtemp(join(tmpdir(), 'portico-redis-'));
      directories.add(directory);
      let child: ChildProcess | undefined;
      const own: OwnRedis = {
        url: `redis://127.0.0.1:${port}`,
        port,
        async start() {
          const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
          const started = spawn('redis-server', [...options, ...args], { stdio: 'ignore', cwd: directory });
          child = started;
          running.add(started);
          started.once('exit', () => running.delete(started));
          await waitUntil(() => acceptsConnections(port), 'Redis to accept connections');
        },
        async stop() {
          if (!child || !running.has(child)) return;
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        },
      };
      await own.start();
      return own;
    },
    async startWatched(skip) {
      const master = await manager.start(skip);
      const replica = await manager.start(skip, '--replicaof', `127.0.0.1 ${master.port}`);
      const directory = await mkdtemp(join(tmpdir(), 'portico-sentinel-'));
      directories.add(directory);
      // The sentinel rewrites this file.
      const configuration = join(directory, 'sentinel.conf');
      await writeFile(
        configuration,
        [
          `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 1`,
          `sentinel down-after-milliseconds ${MASTER} 500`,
          `sentinel failover-timeout ${MASTER} 2000`,
        ].join('\n'),
      );
      const sentinel = await manager.start(skip, configuration, '--sentinel');
      const isFollowing = async () => (await replicationOf(replica)).includes('master_link_status:up');
      await waitUntil(isFollowing, 'the replica to follow');
      return { url: `redis+sentinel://127.0.0.1:${sentinel.port}/${MASTER}`, master, replica };
    },
  };
  return manager;
}

/** Returns the replication section of INFO. */
export async function replicationOf({ url }: OwnRedis): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  try {
    return await redis.info('replication');
  } finally {
    redis.disconnect();
  }
}
