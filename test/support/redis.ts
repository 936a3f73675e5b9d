/** A Redis of one test's own, to be stopped and started as the test needs it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type afterAll, afterEach, inject, type TestContext } from 'vitest';
import { freePort, waitUntil } from './process.ts';

/** The Redis that all tests share. Leaves the test out, with the reason, where there is none. */
export function sharedRedis(skip: TestContext['skip']): string {
  const redis = inject('redis');
  if ('reason' in redis) skip(`there is no Redis: ${redis.reason}`);
  // `skip` above ends the test.
  return (redis as { url: string }).url;
}

export interface OwnRedis {
  readonly url: string;
  readonly port: number;
  /** Ends it at once, as a machine that fails does. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** A master with a replica, and a sentinel that has the replica succeed it. */
export interface WatchedRedis {
  /** What a server is given to find the master, whichever it is. */
  readonly url: string;
  readonly master: OwnRedis;
  readonly replica: OwnRedis;
}

/** The name by which the sentinel knows the master. */
const MASTER = 'orders';

/**
 * To be called once at the top of a test file: what a test has started ends with it.
 *
 * @param end `afterAll` where the tests of a file share what they have started.
 */
export function manageRedis(end: typeof afterEach | typeof afterAll = afterEach): {
  /** @param options of redis-server, beside those that keep it to this machine and its memory. */
  start(skip: TestContext['skip'], ...options: readonly string[]): Promise<OwnRedis>;
  /** Resolves when the replica has what the master has. */
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
      skip(!isInstalled, 'there is no redis-server on this machine to start and stop');
      const port = await freePort();
      // A replica writes there what it receives when it begins to follow.
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
          await waitUntil(() => answers(port), 'Redis to answer');
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

/** What a Redis says of its part in replication. */
export async function replicationOf({ url }: OwnRedis): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  try {
    return await redis.info('replication');
  } finally {
    redis.disconnect();
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
