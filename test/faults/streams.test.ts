/**
 * Popular clients follow the log through all faults, and receive every event exactly once and in order.
 * `EVENTS`, `WRITERS` and `REDIS_PAUSE` (milliseconds) make the test larger than a test run allows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, type TestContext, vi } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { manageRedis, type OwnRedis, replicationOf } from '../support/redis.ts';
import { type Following, followWithAll } from '../support/stream-clients.ts';
import { signIn } from './client.ts';
import { eventIds, FLAWLESS, flawsOf, logEnd, startWriters, type Writers } from './log-writers.ts';

const EVENTS = Number(process.env['EVENTS'] ?? 150);
const WRITERS = Number(process.env['WRITERS'] ?? 8);
const REDIS_PAUSE = Number(process.env['REDIS_PAUSE'] ?? 500);

/** Milliseconds for all written events to arrive. */
const ARRIVAL = 60_000;

vi.setConfig({ testTimeout: 300_000 + EVENTS * 30 + REDIS_PAUSE });

// Processes that a suite has started serve all of its tests.
const servers = manageServers(afterAll);
const redisServers = manageRedis(afterAll);
const followers: Following[] = [];

afterEach(() => {
  for (const follower of followers.splice(0)) follower.stop();
});

/** Instances with one database, each of which can be stopped and started again at the same address. */
class Instances {
  readonly #launch: (port?: number) => Promise<ServerProcess>;
  readonly #running: ServerProcess[] = [];

  private constructor(launch: (port?: number) => Promise<ServerProcess>) {
    this.#launch = launch;
  }

  static async start(count: number, env: Readonly<Record<string, string>>): Promise<Instances> {
    const directory = await servers.directory();
    const made = new Instances((port) =>
      servers.start({ directory, env: { ...env, ...(port !== undefined && { PORT: String(port) }) } }),
    );
    made.#running.push(...(await Promise.all(Array.from({ length: count }, () => made.#launch()))));
    return made;
  }

  get urls(): string[] {
    return this.#running.map(({ url }) => url);
  }

  async restart(n: number, signal: NodeJS.Signals): Promise<void> {
    const server = this.#running[n];
    if (!server) throw new Error(`There is no instance ${n}.`);
    await server.end(signal);
    this.#running[n] = await this.#launch(server.port);
  }
}

/** One client of each kind for each instance. Those that can choose reconnect to another instance each time. */
async function followAll(urls: readonly string[], token: string, after: string): Promise<void> {
  for (const start of urls.keys()) {
    let turn = start;
    const url = () => urls[turn++ % urls.length] ?? '';
    followers.push(...(await followWithAll({ url, token, after })));
  }
}

/** Instances that the tests share, and their database. */
interface Scene {
  readonly place: TestDatabase;
  readonly instances: Instances;
}

async function setScene(engine: TestEngine, count: number, redis?: Pick<OwnRedis, 'url'>): Promise<Scene> {
  const place = await engine.create('demo');
  const env = {
    DATABASE_URL: place.url,
    // Instances that share this accept each other's tokens.
    PUBLIC_URL: 'http://portico.test',
    ...(redis && { REDIS_URL: redis.url }),
  };
  return { place, instances: await Instances.start(count, env) };
}

/** @param trouble the fault to inject while the log grows. */
async function expectNothingLost(
  { place, instances }: Scene,
  trouble: (writers: Writers) => Promise<void>,
): Promise<void> {
  const [first = ''] = instances.urls;
  const token = await signIn(first);
  const start = await logEnd(first, token);
  await followAll(instances.urls, token, start.cursor);

  const begun = performance.now();
  const writers = startWriters(instances.urls, token, WRITERS);
  await writers.more(EVENTS / 5);
  await trouble(writers);
  await writers.finish(EVENTS);
  const ended = performance.now();

  const written = await eventIds(place, start.id);
  expect(written.length).toBeGreaterThanOrEqual(writers.written);
  await waitUntil(
    () => followers.every((follower) => positionOf(follower) === written.at(-1)),
    'every client to have the last event',
    ARRIVAL,
  ).catch(() => undefined);
  const arrived = performance.now();
  expect(followers.map((follower) => [follower.name, flawsOf(follower, written)])).toEqual(
    followers.map(({ name }) => [name, FLAWLESS]),
  );
  expect(Math.min(...followers.map(({ connections }) => connections))).toBeGreaterThan(1);
  if (process.env['EVENTS']) {
    const connections = followers.map(({ name, connections: times }) => `${name} ${times}`).join(', ');
    process.stdout.write(
      `${written.length} events by ${WRITERS} writers in ${Math.round(ended - begun)} ms, the last one everywhere ` +
        `${Math.round(arrived - ended)} ms later; connections: ${connections}\n`,
    );
  }
}

/** The last event that a client has received. */
const positionOf = ({ received }: Following) => received.at(-1)?.id ?? 0;

const cutAll = () => {
  for (const follower of followers) follower.cut();
};

const cutRepeatedly = async (writers: Writers) => {
  for (let n = 0; n < 3; n += 1) {
    cutAll();
    await writers.more(EVENTS / 20);
  }
};

describeEachEngine(
  'clients that follow the log of one server',
  (engine) => {
    engine.testConcurrent('miss nothing though connections are cut and the server is killed', async () => {
      const scene = await setScene(engine, 1);
      await expectNothingLost(scene, async (writers) => {
        await cutRepeatedly(writers);
        await scene.instances.restart(0, 'SIGKILL');
        await writers.more(EVENTS / 5);
        await scene.instances.restart(0, 'SIGTERM');
        cutAll();
      });
    });
  },
  'sqlite',
);

describeEachEngine(
  'clients that follow the log of two servers with Redis',
  (engine) => {
    let redis: OwnRedis;
    let scene: Scene | undefined;

    /** The two servers, started by the first test that needs them. */
    const two = async (skip: TestContext['skip']) => {
      if (scene) return scene;
      redis = await redisServers.start(skip);
      scene = await setScene(engine, 2, redis);
      return scene;
    };

    // The two are equivalent, so each kind of stop is tested on one of them.
    engine.testConcurrent(
      'miss nothing though connections are cut, one server is killed and the other restarted',
      async (skip) => {
        const { instances } = await two(skip);
        await expectNothingLost(await two(skip), async (writers) => {
          await cutRepeatedly(writers);
          await instances.restart(1, 'SIGKILL');
          await writers.more(EVENTS / 5);
          await instances.restart(0, 'SIGTERM');
        });
      },
    );

    engine.testConcurrent('miss nothing while Redis is down, and do not wait for it', async (skip) => {
      await expectNothingLost(await two(skip), async (writers) => {
        await redis.stop();
        cutAll();
        await sleep(REDIS_PAUSE);
        await writers.more(EVENTS / 10);
        const seen = Math.max(...followers.map(positionOf));
        const behind = () => followers.filter((follower) => positionOf(follower) < seen);
        const all = () => behind().length === 0;
        await waitUntil(all, 'events to arrive without Redis', ARRIVAL).catch((error: Error) => {
          const states = behind().map(
            (one) => `${one.name} is at ${positionOf(one)}, connected ${one.connections} times`,
          );
          throw new Error(`${error.message}: ${states.join('; ')}; others are at ${seen}`);
        });
        await redis.start();
        cutAll();
      });
    });

    engine.testConcurrent('miss nothing while a sentinel replaces the master', async (skip) => {
      const watched = await redisServers.startWatched(skip);
      await expectNothingLost(await setScene(engine, 2, watched), async (writers) => {
        await watched.master.stop();
        cutAll();
        const isMaster = async () => (await replicationOf(watched.replica)).includes('role:master');
        await waitUntil(isMaster, 'the new master', ARRIVAL);
        cutAll();
        await writers.more(EVENTS / 5);
      });
    });
  },
  'postgres',
);
