/** A Redis of one test's own, to be stopped and started as the test needs it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
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

/**
 * To be called once at the top of a test file: what a test has started ends with it.
 *
 * @param end `afterAll` where the tests of a file share what they have started.
 */
export function manageRedis(end: typeof afterEach | typeof afterAll = afterEach): {
  /** @param options of redis-server, beside those that keep it to this machine and its memory. */
  start(skip: TestContext['skip'], ...options: readonly string[]): Promise<OwnRedis>;
} {
  const running = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of running) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  end(killAll);
  return {
    async start(skip, ...options) {
      const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
      skip(!isInstalled, 'there is no redis-server on this machine to start and stop');
      const port = await freePort();
      let child: ChildProcess | undefined;
      const own: OwnRedis = {
        url: `redis://127.0.0.1:${port}`,
        port,
        async start() {
          const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
          const started = spawn('redis-server', [...options, ...args], { stdio: 'ignore' });
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
  };
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
