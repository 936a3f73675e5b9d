/** One budget for a caller, whichever of several processes and whichever door is asked; Redis keeps it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { type Client, createClient } from '../support/client.ts';
import { checkExchange } from '../support/openapi-check.ts';
import { manageServers } from '../support/process.ts';
import { manageRedis } from '../support/redis.ts';

const POINTS = 1000;
const PER_SECOND = 50;

/** How far two processes may be off together. */
const TOLERANCE = 1.05;

const servers = manageServers();
const redisServers = manageRedis();

const USERS = `{ ${Array.from({ length: 20 }, (_, n) => `f${n}: user(id: 1) { id }`).join(' ')} }`;
const PRODUCTS = '{ products(first: 100) { nodes { id } } }';

/** Ways to spend, each with what it costs: nothing of that is given back. */
const SPENDING: readonly { points: number; spend(client: Client): Promise<{ status: number }> }[] = [
  { points: 1, spend: (client) => client.get('/v1/users/1', { as: 'ada' }) },
  {
    points: 20,
    spend: (client) => client.graphql(USERS, {}, { as: 'ada' }),
  },
];

const DEAREST = Math.max(...SPENDING.map(({ points }) => points));

/** More than comes back within a second. */
const ASKING: Readonly<Record<string, (client: Client) => Promise<{ status: number; headers: Headers }>>> = {
  REST: (client) => client.get('/v1/products?limit=100', { as: 'ada' }),
  GraphQL: (client) => client.graphql(PRODUCTS, {}, { as: 'ada' }),
};

/** Spends through all doors of all processes at once, until they are refused. Gives how many points it got. */
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

test('two processes give one budget, within 5 %, and tell truly when there is some again', async ({
  skip,
}) => {
  const redis = await redisServers.start(skip);
  // The database and the keys are in it.
  const directory = await servers.directory();
  const env = {
    REDIS_URL: redis.url,
    RATE_LIMIT_POINTS: String(POINTS),
    RATE_LIMIT_PER_SECOND: String(PER_SECOND),
  };
  const clients: Client[] = [];
  for (let process = 0; process < 2; process += 1) {
    const server = await servers.start({ directory, env });
    const parts = { password: DEMO_PASSWORD, beforeRequest: () => undefined, check: checkExchange };
    clients.push(createClient({ ...parts, url: () => server.url }));
  }
  const [one, other] = clients as [Client, Client];
  for (const client of clients) {
    await client.signIn('ada');
    // Reading a document costs points, once in each process: another person pays for that.
    for (const document of [USERS, PRODUCTS]) await client.graphql(document, {}, { as: 'ed' });
  }

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
    // Of both: a second before it is time there are too few points, on whichever process.
    await sleep((seconds - 1.5) * 1000);
    expect((await ask(other)).status).toBe(429);
    await sleep(seconds * 1000 - (performance.now() - since));
    expect((await ask(other)).status).toBe(200);
  }
});
