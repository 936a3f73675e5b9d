/**
 * Lists of an organisation's orders walk an index and stop, with every filter. `PLAN_ORDERS` creates more
 * orders than a test run has time for.
 */
import { beforeAll, expect, test } from 'vitest';
import '../../src/db/queries/organisation-orders.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { rowsForPlans } from '../support/fixtures/rows.ts';
import { explainPostgres, explainSqlite, rowsRead } from './plans.ts';

const ORDERS = Number(process.env['PLAN_ORDERS'] ?? 60_000);
const PRODUCTS = 100;

async function fill(engine: TestEngine): Promise<void> {
  const { place } = engine;
  const { now, at, numbers } = rowsForPlans(engine);
  const org = `case n % 3 when 0 then 'globex' else 'acme' end`;
  await place.query(
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'G', ${now})`,
  );
  await place.query(`insert into users (org, email, name, role, created_at, updated_at)
    select 'acme', 'user-' || n || '@acme.test', 'User', 'editor', ${now}, ${now} from ${numbers(20)}`);
  await place.query(`insert into products (org, name, unit_price, currency, created_at, updated_at)
    select case when n <= ${PRODUCTS} then 'acme' else 'globex' end, 'Part', 1, 'USD', ${now}, ${now}
    from ${numbers(2 * PRODUCTS)}`);
  await place.query(`insert into orders (org, user_id, status, total, currency, created_at, updated_at)
    select ${org}, 1 + n % 20, case n % 100 when 1 then 'pending' else 'shipped' end, n % 100000 * 7919 % 100000,
      case n % 7 when 0 then 'EUR' when 1 then 'JPY' when 2 then 'BHD' else 'USD' end, ${at('second')}, ${at('second')} from ${numbers(ORDERS)}`);
  await place.query(`insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
    select ${org}, n, 0, case n % 3 when 0 then ${PRODUCTS} else 0 end + 1 + n % ${PRODUCTS}, 'Part', 1, 1 from ${numbers(ORDERS)}`);
  if (engine.name === 'postgres') await place.query('vacuum analyze orders, order_items');
}

const LIMIT = 50;
const ANY = {
  org: 'acme',
  status: 'pending',
  statuses: null,
  userId: null,
  productId: 0,
  currency: 'EUR',
  createdFrom: new Date('2026-01-01T01:00:00Z'),
  createdUntil: new Date('2026-01-01T20:00:00Z'),
  minTotal: 10,
  maxTotal: 90_000,
  minValue: 0.1,
  maxValue: 900,
  limit: LIMIT,
};

/** Forms of the list, their start, and the index that each walks. */
const FORMS = [
  { driver: 'org', sort: 'created_at', index: 'orders_of_org_by_created_at' },
  { driver: 'org', sort: 'total', index: 'orders_of_org_by_total' },
  { driver: 'status', sort: 'created_at', index: 'orders_of_org_by_status' },
  { driver: 'user', sort: 'created_at', index: 'orders_by_created_at' },
  { driver: 'user', sort: 'total', index: 'orders_by_total' },
  { driver: 'product', sort: 'created_at', index: 'order_items_by_product' },
].flatMap((form) => ['asc', 'desc'].map((direction) => ({ ...form, direction })));

describeEachEngine(`with ${ORDERS} orders of two organisations`, (engine) => {
  beforeAll(() => fill(engine), 300_000 + ORDERS / 5);

  test.each(FORMS)('by $driver, in order of $sort $direction', async ({ driver, sort, index, direction }) => {
    const at = sort === 'total' ? 500 : new Date('2026-01-01T08:00:00Z');
    const params = {
      ...ANY,
      at,
      id: 30_000,
      ...(driver === 'user' && { userId: 3 }),
      ...(driver === 'product' && { productId: 7 }),
    };
    const name = `orders.look.${driver}.${sort}.${direction}`;
    if (engine.name === 'sqlite') {
      const plan = await explainSqlite(engine, name, params);
      expect(plan.join('\n')).toContain(index);
      // From the position on, however many orders have the same total.
      if (sort === 'total') {
        expect(plan.join('\n')).toContain('total_in_major_units>? AND total_in_major_units<?');
      }
      expect(plan.filter((line) => /TEMP B-TREE FOR ORDER|^SCAN (orders|order_items)/.test(line))).toEqual(
        [],
      );
      return;
    }
    const read = rowsRead(await explainPostgres(engine, name, params), 'orders');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(LIMIT);
  });
});
