import { afterAll, beforeAll, expect, vi } from 'vitest';
import { describeEachEngine, type TestDatabase } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { Connection, DEMO_ORDERS, idOf, signIn, storedOrders, strayEvents } from './client.ts';

const WRITERS = 8;

/**
 * Orders after whose answers the server is killed, round by round. The other writers are anywhere in theirs then: in the first of
 * a fresh process, and in the middle of many. `ROUNDS=1,4,23,60,100 npx vitest run test/faults/kill.test.ts` looks longer.
 */
const ROUNDS = (process.env['ROUNDS'] ?? '1,30').split(',').map(Number);

vi.setConfig({ testTimeout: 300_000 + ROUNDS.length * 10_000 });

/** What every order comes to that the writers place: 2 of 19.99 and 3 of 12.50. */
const WORTH = 2 * 1999 + 3 * 1250;

describeEachEngine('a server that is killed', (engine) => {
  // The second test goes on with the server that the first has brought up at last.
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

  engine.testConcurrent('in the middle of its first start, finishes that the next time', async () => {
    // What there is already when it is killed; the start is somewhere behind that.
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

  engine.testConcurrent(
    'keeps every order that it answered for, and none of which a part is missing',
    async () => {
      const placed: number[] = [];
      for (const orders of ROUNDS) {
        const victim = await running();
        server = undefined;
        placed.push(...(await writeUntilKilled(victim, orders)));
        expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
        await expectSound(place, placed);
      }

      const { url } = await running();
      const client = new Connection(url, await signIn(url));
      const answer = await client.placeOrder();
      expect(answer.status).toBe(201);
      // No id is given again, whatever became of the order that had it.
      expect(idOf(answer)).toBeGreaterThan(Math.max(...placed));
      await expectSound(place, [...placed, idOf(answer)]);
      client.close();
    },
  );
});

/** @returns the ids of the orders that were answered with 201. */
async function writeUntilKilled(server: ServerProcess, orders: number): Promise<number[]> {
  const token = await signIn(server.url);
  const placed: number[] = [];
  const writers = Array.from({ length: WRITERS }, async () => {
    const client = new Connection(server.url, token);
    for (let answer = await reply(client); answer; answer = await reply(client)) {
      expect(answer.status).toBe(201);
      placed.push(idOf(answer));
      if (placed.length === orders) server.signal('SIGKILL');
    }
    client.close();
  });
  await Promise.all(writers);
  return placed;
}

/** The answer, or undefined when the server is no more. */
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
  // Those that were not answered for may be there as well: their writers were killed before they were notified.
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
  // Anyone who looks into a SQLite file while it is being made may find it locked.
  return (await query(catalogue).catch(() => [])).length > 0;
}
