/** One budget per caller in Redis, shared by several processes and all doors. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { type Client, createClient } from '../support/client.ts';
import { checkExchange } from '../support/openapi.ts';
import { manageServers, waitUntil } from '../support/process.ts';
import { manageRedis, replicationOf } from '../support/redis.ts';

const POINTS = 1000;
const PER_SECOND = 50;

/** The maximum relative error of two processes together. */
const TOLERANCE = 1.05;

const servers = manageServers();
const redisServers = manageRedis();

const USERS = `{ ${Array.from({ length: 20 }, (_, n) => `f${n}: user(id: 1) { id }`).join(' ')} }`;
const PRODUCTS = '{ products(first: 100) { nodes { id } } }';

/** Operations with their cost, none of which is refunded. */
const SPENDING: readonly { points: number; spend(client: Client): Promise<{ status: number }> }[] = [
  { points: 1, spend: (client) => client.get('/v1/users/1', { as: 'ada' }) },
  {
    points: 20,
    spend: (client) => client.graphql(USERS, {}, { as: 'ada' }),
  },
];

const DEAREST = Math.max(...SPENDING.map(({ points }) => points));

/** More points than are refilled within a second. */
const ASKING: Readonly<Record<string, (client: Client) => Promise<{ status: number; headers: Headers }>>> = {
  REST: (client) => client.get('/v1/products?limit=100', { as: 'ada' }),
  GraphQL: (client) => client.graphql(PRODUCTS, {}, { as: 'ada' }),
};

/** Spends through all doors of all processes at once, until they refuse. @returns the number of points spent. */
async function spendAll(clients: readonly Client[]): Promise<number> {
  for (let granted = 0; ; ) {
    const round = clients.flatMap((client) =>
      SPENDING.map(async ({ points, spend }) => ((await spend(client)).status === 200 ? points : 0)),
    );
    const points = (await Promise.all(round)).reduce((sum, each) => sum + each, 0);
    granted += points;
    if (points < DEAREST) return granted;
  }
}

/** Two processes with one database, each with a client signed in as Ada. */
async function startTwo(redisUrl: string): Promise<[Client, Client]> {
  // Contains the database and the keys.
  const directory = await servers.directory();
  const env = {
    REDIS_URL: redisUrl,
    RATE_LIMIT_POINTS: String(POINTS),
    RATE_LIMIT_PER_SECOND: String(PER_SECOND),
  };
  const start = async () => {
    const server = await servers.start({ directory, env });
    const parts = { password: DEMO_PASSWORD, beforeRequest: () => undefined, check: checkExchange };
    const client = createClient({ ...parts, url: () => server.url });
    await client.signIn('ada');
    // Parsing a document costs points, once in each process: another user pays for that.
    for (const document of [USERS, PRODUCTS]) await client.graphql(document, {}, { as: 'ed' });
    return client;
  };
  return [await start(), await start()];
}

/**
 * A process on a machine so busy that Redis takes longer than `LIMITS.redisTimeout` grants points alone, as it should, and may be wrong by
 * more. Then the test runs again.
 */
const ON_A_BUSY_MACHINE = { retry: 4 };

test(
  'two processes enforce one budget, within 5 %, and return a correct Retry-After',
  ON_A_BUSY_MACHINE,
  async ({ skip }) => {
    const redis = await redisServers.start(skip);
    const clients = await startTwo(redis.url);
    const [one, other] = clients;

    const began = performance.now();
    const granted = await spendAll(clients);
    const cameBack = ((performance.now() - began) / 1000) * PER_SECOND;
    expect(granted).toBeGreaterThanOrEqual(POINTS / TOLERANCE);
    expect(granted).toBeLessThanOrEqual((POINTS + cameBack) * TOLERANCE);

    expect((await one.get('/v1/users/2', { as: 'ed' })).status).toBe(200);
    expect((await other.get('/v1/products', { as: 'gil' })).status).toBe(200);

    for (const ask of Object.values(ASKING)) {
      await spendAll(clients);
      const refused = await ask(one);
      const since = performance.now();
      expect(refused.status).toBe(429);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(1);
      // On both: a second before that time there are too few points, on either process.
      await sleep((seconds - 1.5) * 1000);
      expect((await ask(other)).status).toBe(429);
      await sleep(seconds * 1000 - (performance.now() - since));
      expect((await ask(other)).status).toBe(200);
    }
  },
);

/** The maximum relative error while the master of Redis is replaced: writes that it had not replicated are lost. */
const FAILOVER_TOLERANCE = 1.1;

test(
  'a caller gets no additional points when the master of Redis is replaced under load, within 10 %',
  ON_A_BUSY_MACHINE,
  async ({ skip }) => {
    const watched = await redisServers.startWatched(skip);
    const clients = await startTwo(watched.url);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    let granted = 0;
    let isOver = false;
    const spending = clients.map(async (client) => {
      while (!isOver) {
        for (const { points, spend } of SPENDING) {
          const { status } = await spend(client);
          expect([200, 429]).toContain(status);
          if (status === 200) granted += points;
          // None has been refilled since.
          else await sleep(1000 / PER_SECOND);
        }
      }
    });
    await sleep(2000);
    await watched.master.stop();
    const isMaster = async () => (await replicationOf(watched.replica)).includes('role:master');
    await waitUntil(isMaster, 'the new master');
    await sleep(4000);
    isOver = true;
    await Promise.all(spending);
    const all = POINTS + seconds() * PER_SECOND;
    expect(granted).toBeGreaterThanOrEqual(all / FAILOVER_TOLERANCE);
    expect(granted).toBeLessThanOrEqual(all * FAILOVER_TOLERANCE);
  },
);
