import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, runsAllCases, type TestEngine } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { Connection, DEMO_ORDERS, idOf, signIn, storedOrders, strayEvents } from './client.ts';

const WRITERS = 8;

/**
 * Kills the server after a number of acknowledged orders, round by round. The other writers are at any point
 * of a request then: the first one of a new process, or one of many. For more rounds: `ROUNDS=1,4,23,60,100
 * npx vitest run test/faults/kill.test.ts`.
 */
const ROUNDS = (process.env['ROUNDS'] ?? '1,30').split(',').map(Number);

/** The first requests of a new process do not depend on the engine, so one engine has only the last round. */
const roundsOn = (engine: TestEngine) =>
  process.env['ROUNDS'] !== undefined || runsAllCases(engine) ? ROUNDS : ROUNDS.slice(-1);

vi.setConfig({ testTimeout: 300_000 + ROUNDS.length * 10_000 });

/** The total of every order that the writers place: 2 of 19.99 and 3 of 12.50. */
const WORTH = 2 * 1999 + 3 * 1250;

describeEachEngine('a server that is killed', (engine) => {
  // The second test continues with the server that the first one started last.
  const servers = manageServers(afterAll);
  let place: TestDatabase;
  let directory = '';
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    place = await engine.create('bare');
    directory = await servers.directory();
  });

  const launch = () => servers.launch({ env: { DATABASE_URL: place.url }, directory });
  const running = async () => {
    server ??= await (await launch()).ready();
    return server;
  };

  engine.testConcurrent('completes its first start after being killed in the middle of it', async () => {
    // The state at which it is killed; the start is somewhere beyond that.
    for (const table of ['orders', 'users']) {
      const victim = await launch();
      await waitUntil(() => exists(place, table), `the table ${table}`);
      victim.signal('SIGKILL');
      await victim.exit;
    }
    await running();
    const [count] = await place.query(`
      select (select cast(count(*) as integer) from orders) as orders,
        (select cast(count(*) as integer) from users) as users,
        (select cast(count(*) as integer) from products) as products`);
    expect(count).toEqual({ orders: DEMO_ORDERS, users: 4, products: 15 });
  });

  engine.testConcurrent('keeps every acknowledged order, and none without all of its parts', async () => {
    const placed: number[] = [];
    for (const orders of roundsOn(engine)) {
      const victim = await running();
      server = undefined;
      placed.push(...(await writeUntilKilled(victim, orders)));
      expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
      await expectSound(place, placed);
    }

    const { url } = await running();
    const client = new Connection(url, await signIn(url));
    const response = await client.placeOrder();
    expect(response.status).toBe(201);
    // No id is reused, whatever happened to the order that had it.
    expect(idOf(response)).toBeGreaterThan(Math.max(...placed));
    await expectSound(place, [...placed, idOf(response)]);
    client.close();
  });
});

/** @returns the ids of the orders that were acknowledged with 201. */
async function writeUntilKilled(server: ServerProcess, orders: number): Promise<number[]> {
  const token = await signIn(server.url);
  const placed: number[] = [];
  const writers = Array.from({ length: WRITERS }, async () => {
    const client = new Connection(server.url, token);
    for (let response = await reply(client); response; response = await reply(client)) {
      expect(response.status).toBe(201);
      placed.push(idOf(response));
      if (placed.length === orders) server.signal('SIGKILL');
    }
    client.close();
  });
  await Promise.all(writers);
  return placed;
}

/** The response, or undefined if the server was killed. */
const reply = (client: Connection) => client.placeOrder().catch(() => undefined);

async function expectSound(place: TestDatabase, placed: readonly number[]): Promise<void> {
  if (place.url.startsWith('file:')) {
    expect(await place.query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await place.query('pragma foreign_key_check')).toEqual([]);
  }
  const stored = await storedOrders(place);
  const ids = new Set(stored.map(({ id }) => id));
  expect(placed.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(placed).size).toBe(placed.length);
  // Unacknowledged orders may be stored too: the server was killed before it responded.
  expect(stored.length).toBeLessThanOrEqual(placed.length + ROUNDS.length * WRITERS);
  for (const order of stored) {
    expect(order).toEqual({ id: order.id, total: WORTH, items: 2, worth: WORTH, announced: 1 });
  }
  expect(await strayEvents(place)).toEqual([]);
}

async function exists({ query, url }: TestDatabase, table: string): Promise<boolean> {
  const catalogue = url.startsWith('file:')
    ? `select 1 from sqlite_master where name = '${table}'`
    : `select 1 from pg_tables where schemaname = 'public' and tablename = '${table}'`;
  // A SQLite file may be locked while it is being created.
  return (await query(catalogue).catch(() => [])).length > 0;
}
