/** The order of orders by total: the expression in the tables has the results of `toMajorUnits`, for every currency. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { CURRENCIES, toMajorUnits } from '../../src/core/money.ts';
import { placesOfOrders } from '../../src/db/queries/organisation-orders.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { openBefore } from './sqlite-migrations.ts';

const LARGEST = LIMITS.unitPrice * LIMITS.orderItems * LIMITS.itemQuantity;
const TOTALS = [0, 1, 99, 100, 12_345, LARGEST - 1, LARGEST];

/** The expression of each index by total, as the migrated database has it. */
async function expressionsOf({ name, place }: TestEngine): Promise<readonly string[]> {
  if (name === 'sqlite') return ['total_in_major_units'];
  const rows = await place.query(`select distinct pg_get_indexdef(indexrelid, n, true) as expression
    from pg_index join pg_class on pg_class.oid = indexrelid, generate_series(1, indnkeyatts) as n
    where relname like 'orders%total' and indkey[n - 1] = 0`);
  return rows.map(({ expression }) => String(expression));
}

describeEachEngine('totals in major units', (engine) => {
  test('are the numbers that clients see, in every currency, and have their order', async () => {
    const now = engine.name === 'sqlite' ? '0' : "timestamptz '2026-01-01'";
    const { query } = engine.place;
    await query(`insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now})`);
    await query(`insert into users (org, email, name, role, created_at, updated_at)
      values ('acme', 'a@acme.test', 'A', 'editor', ${now}, ${now})`);
    const orders = CURRENCIES.flatMap((currency) => TOTALS.map((total) => ({ currency, total })));
    const values = orders.map(
      ({ currency, total }) => `('acme', 1, 'pending', ${total}, '${currency}', ${now}, ${now})`,
    );
    await query(`insert into orders (org, user_id, status, total, currency, created_at, updated_at)
      values ${values.join(', ')}`);
    const expected = orders.map(({ currency, total }, at) => ({
      id: at + 1,
      value: toMajorUnits(total, currency),
    }));

    const expressions = await expressionsOf(engine);
    expect(expressions).toHaveLength(1);
    const rows = await query(`select id, ${expressions[0]} as value from orders order by id`);
    expect(rows.map(({ id, value }) => ({ id: Number(id), value }))).toEqual(expected);

    const filters = {
      statuses: null,
      userId: null,
      productId: null,
      currency: null,
      createdAfter: null,
      createdBefore: null,
      minTotal: null,
      maxTotal: null,
    };
    const list = { org: 'acme', filters, sort: 'total', descending: false } as const;
    const inOrder = expected.toSorted((a, b) => a.value - b.value || a.id - b.id);
    for (const from of [0, 1, 200, 201, 700]) {
      const last = inOrder[from - 1];
      const { rows } = await placesOfOrders(engine.database, {
        ...list,
        from: last && [last.value, last.id],
        limit: 150,
      });
      expect(rows.map(({ id }) => id)).toEqual(inOrder.slice(from, from + 150).map(({ id }) => id));
    }
  });
});

test('the migration of SQLite keeps all orders, and has their totals in the new order', () => {
  using database = openBefore('total_in_major_units');
  const { client } = database;
  client.exec(`insert into orders (id, org, user_id, status, total, currency, created_at, updated_at)
      values (1, 'acme', 1, 'pending', 1440, 'JPY', 0, 0), (2, 'acme', 1, 'pending', 3425, 'USD', 0, 0),
        (3, 'acme', 1, 'pending', 37125, 'BHD', 0, 0)`);
  database.migrate();
  const sorted = client.prepare(
    'select id, total, total_in_major_units from orders indexed by orders_of_org_by_total where org = ? and deleted_at is null order by 3',
  );
  expect(sorted.raw().all('acme')).toEqual([
    [2, 3425, 34.25],
    [3, 37_125, 37.125],
    [1, 1440, 1440],
  ]);
});
