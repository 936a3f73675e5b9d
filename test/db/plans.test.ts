/**
 * Whether the statements that lists are made of walk their index and stop, with users who have 25,000 orders
 * each. On PostgreSQL by counting the rows that the plan touched, on SQLite by what the plan says.
 */

import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import '../../src/db/queries/events.ts';
import '../../src/db/queries/order-items.ts';
import '../../src/db/queries/order-lists.ts';
import '../../src/db/queries/orders.ts';
import '../../src/db/queries/organisations.ts';
import '../../src/db/queries/products.ts';
import '../../src/db/queries/sessions.ts';
import '../../src/db/queries/users.ts';
import { postgresDialect } from '../../src/db/postgres/dialect.ts';
import { postgresTables } from '../../src/db/postgres/tables.ts';
import { sqliteTables } from '../../src/db/sqlite/columns.ts';
import { sqliteDialect } from '../../src/db/sqlite/dialect.ts';
import { type Builder, type Orm, statements } from '../../src/db/statement.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';

const ORDERS_PER_USER = 25_000;
const USERS = [1, 2, 3, 4];

const builders: Record<TestEngine['name'], Builder> = {
  postgres: { orm: drizzlePostgres.mock(), tables: postgresTables, dialect: postgresDialect },
  sqlite: {
    // As in the engine: drizzle's builders for SQLite under the types of those for PostgreSQL.
    orm: drizzleSqlite.mock() as unknown as Orm,
    tables: sqliteTables,
    dialect: sqliteDialect,
  },
};

/** The statement's SQL with its parameters filled in as literals. */
function sqlOf(engine: TestEngine['name'], name: string, params: Readonly<Record<string, unknown>>): string {
  const statement = statements.get(name);
  if (!statement) throw new Error(`There is no statement "${name}".`);
  // Every query builder of drizzle has `toSQL`, which `Preparable` does not need to mention.
  const query = statement.build(builders[engine]) as unknown as {
    toSQL(): { sql: string; params: unknown[] };
  };
  const { sql, params: slots } = query.toSQL();
  let next = 0;
  return sql.replace(/\?|\$(\d+)/g, (_all, number) => {
    const slot = slots[number ? Number(number) - 1 : next++];
    return literal(engine, nameOfSlot(slot), params, slot);
  });
}

/** A slot is a placeholder, a placeholder with an encoder around it, or a value that the statement itself holds. */
function nameOfSlot(slot: unknown): string | undefined {
  if (typeof slot !== 'object' || slot === null) return undefined;
  if ('name' in slot && typeof slot.name === 'string') return slot.name;
  return 'value' in slot ? nameOfSlot(slot.value) : undefined;
}

function literal(
  engine: TestEngine['name'],
  name: string | undefined,
  params: object,
  slot: unknown,
): string {
  const value: unknown =
    name === undefined ? slot : Object.entries(params).find(([key]) => key === name)?.[1];
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return engine === 'sqlite' ? `'[${value.join()}]'` : `'{${value.join()}}'`;
  if (typeof value === 'string') return `'${value}'`;
  throw new Error(`No literal for ${name ?? String(slot)}.`);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** All rows of a table that a plan read, whether it then kept them or not. */
function rowsRead(node: PlanNode, table: string): number {
  const inner = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), 0);
  if (node['Relation Name'] !== table) return inner;
  const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return inner + each * (node['Actual Loops'] ?? 1);
}

async function explainSqlite(
  engine: TestEngine,
  name: string,
  params: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const rows = await engine.place.query(`explain query plan ${sqlOf('sqlite', name, params)}`);
  return rows.map((row) => String(row['detail']));
}

async function rowsReadByPostgres(
  engine: TestEngine,
  name: string,
  params: Readonly<Record<string, unknown>>,
): Promise<number> {
  const rows = await engine.place.query(`explain (analyze, format json) ${sqlOf('postgres', name, params)}`);
  return rowsRead(planIn(rows), 'orders');
}

function planIn(rows: readonly Record<string, unknown>[]): PlanNode {
  const plan: unknown = rows[0]?.['QUERY PLAN'];
  // What `explain (format json)` answers, according to its documentation.
  const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }];
  return Plan;
}

async function fill(engine: TestEngine): Promise<void> {
  const { place } = engine;
  const now = engine.name === 'sqlite' ? '1767225600000' : "'2026-01-01T00:00:00Z'";
  const at =
    engine.name === 'sqlite'
      ? '1767225600000 + n * 1000'
      : "timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second'";
  const numbers = (last: number) =>
    engine.name === 'sqlite'
      ? `(with recursive c(n) as (select 1 union all select n + 1 from c where n < ${last}) select n from c) as c`
      : `generate_series(1, ${last}) as c(n)`;
  await place.query(`insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now})`);
  await place.query(`insert into users (org, email, name, role, created_at, updated_at)
    select 'acme', 'user-' || n || '@acme.test', 'User', 'editor', ${now}, ${now} from ${numbers(USERS.length)}`);
  await place.query(`insert into orders (org, user_id, status, total, currency, created_at, updated_at)
    select 'acme', 1 + n % ${USERS.length}, case n % 3 when 0 then 'pending' when 1 then 'shipped' else 'cancelled' end,
      n * 7919 % 100000, 'USD', ${at}, ${at} from ${numbers(ORDERS_PER_USER * USERS.length)}`);
}

const page = { org: 'acme', userId: 2, status: 'pending', limit: 20, offset: 40 };
const few = { org: 'acme', userIds: USERS, size: 3 };

const LISTS: [string, Readonly<Record<string, unknown>>, string][] = [
  ...['asc', 'desc'].flatMap((direction): typeof LISTS => [
    [`orders.page.created_at.${direction}.all`, page, 'orders_by_created_at'],
    [`orders.page.total.${direction}.all`, page, 'orders_by_total'],
    [`orders.page.id.${direction}.all`, page, 'orders_by_id'],
    [`orders.page.created_at.${direction}.withStatus`, page, 'orders_by_status'],
  ]),
  ['orders.newestOfUsers', few, 'orders_by_created_at'],
  ['orders.oldestOfUsers', few, 'orders_by_created_at'],
];

describeEachEngine('with 25,000 orders of each of 4 users', (engine) => {
  beforeAll(() => fill(engine), 60_000);

  if (engine.name === 'sqlite') {
    test.each(LISTS)('%s walks its index', async (name, params, index) => {
      const plan = await explainSqlite(engine, name, params);
      const isFew = name.endsWith('OfUsers');
      expect(plan.join('\n')).toContain(`USING INDEX ${index} (org=? AND user_id=?`);
      // The few of each user are put into one order at the end; a page comes in order.
      expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toHaveLength(isFew ? 1 : 0);
      expect(plan.filter((line) => /^SCAN (orders|few)/.test(line))).toEqual([]);
    });

    test.each(['all', 'withStatus'])('orders.count.%s reads an index and no row', async (filter) => {
      const plan = await explainSqlite(engine, `orders.count.${filter}`, page);
      expect(plan).toEqual([
        expect.stringMatching(/^SEARCH orders USING COVERING INDEX orders_by_\w+ \(org=\? AND user_id=\?/),
      ]);
    });
    return;
  }

  describe.each(['before statistics', 'after statistics'])('%s', (when) => {
    beforeAll(async () => {
      if (when === 'after statistics') await engine.place.query('vacuum analyze orders');
    });

    test.each(LISTS)('%s reads no more rows than it skips and gives', async (name, params) => {
      // The few of each user are found in the index and then looked up: each is read twice.
      const most = name.endsWith('OfUsers') ? few.userIds.length * few.size * 2 : page.limit + page.offset;
      const read = await rowsReadByPostgres(engine, name, params);
      expect(read).toBeLessThanOrEqual(most);
      expect(read).toBeGreaterThan(0);
    });

    test('and still does with a plan made for any parameters, which a prepared statement gets in time', async () => {
      const sql = sqlOf('postgres', 'orders.newestOfUsers', { org: 'acme', userIds: [], size: 987_654 })
        .replace("'acme'", '$1')
        .replace("'{}'", '$2')
        .replace('987654', '$3');
      const rows = await engine.place.query(`set plan_cache_mode = force_generic_plan;
        prepare few (text, bigint[], bigint) as ${sql};
        explain (analyze, format json) execute few ('acme', '{${USERS.join()}}', ${few.size})`);
      await engine.place.query('deallocate all; reset plan_cache_mode');
      expect(rowsRead(planIn(rows), 'orders')).toBeLessThanOrEqual(USERS.length * few.size * 2);
    });
  });
});
