/** Stored counts of orders per user: they always equal the number of orders, whatever changes run. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { seed } from '../../src/cli/demo/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';

const ROUNDS = 12;
/** Concurrent changes. */
const AT_ONCE = 8;

interface Count {
  readonly org: unknown;
  readonly user_id: number;
  readonly status: unknown;
  readonly orders: number;
}

const inNumbers = (rows: readonly Record<string, unknown>[]): Count[] =>
  rows.map(({ org, user_id, status, orders }) => ({
    org,
    user_id: Number(user_id),
    status,
    orders: Number(orders),
  }));

async function kept(place: TestDatabase): Promise<Count[]> {
  return inNumbers(
    await place.query(
      'select org, user_id, status, orders from order_counts where orders <> 0 order by org, user_id, status',
    ),
  );
}

async function counted(place: TestDatabase): Promise<Count[]> {
  return inNumbers(
    await place.query(`select org, user_id, status, count(*) as orders from orders where deleted_at is null
      group by org, user_id, status order by org, user_id, status`),
  );
}

/** A random change of an order, of any kind; it may be refused. */
async function change(app: TestApp, random: (least: number, most: number) => number): Promise<number> {
  const userId = random(1, 3);
  const id = random(1, 75);
  const path = `/v1/orders/${id}`;
  const as = 'ada';
  const items = [{ product_id: random(1, 3), qty: 1 }];
  const kinds = [
    () => placeOrder(app, items, { userId }).then(() => ({ status: 201 })),
    () => app.patch(path, { as, body: { status: 'cancelled' } }),
    () => app.patch(path, { as, body: { status: 'shipped' } }),
    () => app.patch(path, { as, body: { status: 'shipped', items } }),
    () => app.put(path, { as, body: { items } }),
    () => app.delete(path, { as }),
    () => app.delete(path, { as, headers: { 'if-match': '"v1"' } }),
    () => app.post(`/v1/users/${userId}/orders`, { as, body: { items: [{ product_id: 999_999, qty: 1 }] } }),
  ];
  return ((await kinds[random(0, kinds.length - 1)]?.()) ?? { status: 0 }).status;
}

describeEachEngine('the counts of orders', (engine) => {
  const app = startApp(engine);

  test('match the demo data and seeded orders', async () => {
    expect(await kept(engine.place)).toEqual(await counted(engine.place));
    await seed({ database: engine.database, orders: 730 });
    expect(await kept(engine.place)).toEqual(await counted(engine.place));
  });

  test.each([1, 2, 3])('are correct after many concurrent changes, seed %i', async (number) => {
    const random = randomIntegers(number);
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const changes = Array.from({ length: AT_ONCE }, () => change(app, random));
      for (const status of await Promise.all(changes)) statuses.add(status);
      expect(await kept(engine.place)).toEqual(await counted(engine.place));
    }
    // There was no deadlock: each change succeeded or was refused.
    for (const status of statuses) expect(status).toBeLessThan(500);
    expect(statuses.size).toBeGreaterThan(3);
  });

  test('match the totals of lists', async () => {
    for (const status of ['', 'pending', 'cancelled', 'shipped']) {
      const query = status && `&status=${status}`;
      const { body } = await app.get<{ pagination: { total: number } }>(
        `/v1/users/1/orders?limit=1${query}`,
        {
          as: 'ada',
        },
      );
      const expected = (await counted(engine.place)).filter(
        (row) => row.user_id === 1 && (status === '' || row.status === status),
      );
      expect(body.pagination.total).toBe(expected.reduce((sum, { orders }) => sum + orders, 0));
    }
  });

  test('are filled in from existing rows by their migration', async () => {
    const place = await engine.create('bare');
    const migrations = await migrationsOf(engine);
    const first = migrations.findIndex((sql) => sql.includes('order_counts'));
    expect(first).toBeGreaterThan(0);
    for (const sql of migrations.slice(0, first)) await runAll(place, sql);
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    const gone = engine.name === 'sqlite' ? '1' : 'now()';
    await place.query(`insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now})`);
    for (const name of ['a', 'b']) {
      await place.query(`insert into users (org, email, name, role, created_at, updated_at)
        values ('acme', '${name}@acme.test', '${name}', 'viewer', ${now}, ${now})`);
    }
    for (const [user, status, deleted] of [
      [1, 'pending', 'null'],
      [1, 'pending', 'null'],
      [1, 'shipped', 'null'],
      [1, 'pending', gone],
      [2, 'cancelled', 'null'],
      [2, 'shipped', gone],
    ]) {
      await place.query(`insert into orders (org, user_id, status, total, currency, created_at, updated_at, deleted_at)
        values ('acme', ${user}, '${status}', 1, 'USD', ${now}, ${now}, ${deleted})`);
    }
    for (const sql of migrations.slice(first)) await runAll(place, sql);
    expect(await kept(place)).toEqual(await counted(place));
    expect(await kept(place)).toHaveLength(3);
  });
});

/** The SQL of all migrations in order. */
async function migrationsOf({ name }: TestEngine): Promise<string[]> {
  const folder = new URL(`../../src/db/${name}/migrations/`, import.meta.url);
  // drizzle-kit generates this file.
  const journal: { entries: { tag: string }[] } = JSON.parse(
    await readFile(new URL('meta/_journal.json', folder), 'utf8'),
  );
  return Promise.all(journal.entries.map(({ tag }) => readFile(new URL(`${tag}.sql`, folder), 'utf8')));
}

async function runAll(place: TestDatabase, sql: string): Promise<void> {
  for (const statement of sql.split('--> statement-breakpoint')) await place.query(statement);
}
