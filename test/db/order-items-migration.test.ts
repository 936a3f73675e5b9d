/**
 * The SQLite migration after which items of orders name an organisation. For PostgreSQL, see
 * `migrating-beside-readers`.
 */
import { fileURLToPath } from 'node:url';
import Client from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readMigrationFiles } from '../../src/db/drizzle/sqlite.ts';

const migrations = readMigrationFiles({
  migrationsFolder: fileURLToPath(new URL('../../src/db/sqlite/migrations', import.meta.url)),
});

test('items get the organisation of their order, and their ids are not reused', () => {
  const first = migrations.findIndex(({ sql }) => sql.some((one) => one.includes('__new_order_items')));
  expect(first).toBeGreaterThan(0);
  const client = new Client(':memory:');
  const apply = (some: typeof migrations) => {
    for (const { sql } of some) for (const statement of sql) client.exec(statement);
  };
  try {
    client.pragma('foreign_keys = off');
    apply(migrations.slice(0, first));
    client.exec(`insert into orders (id, org, user_id, status, total, currency, created_at, updated_at)
        values (1, 'acme', 1, 'pending', 1, 'USD', 0, 0), (2, 'globex', 2, 'pending', 1, 'USD', 0, 0);
      insert into order_items (id, order_id, position, product_id, name, unit_price, qty)
        values (1, 1, 0, 1, 'A', 1, 1), (2, 2, 0, 1, 'B', 1, 1), (3, 2, 1, 1, 'C', 1, 1);
      delete from order_items where id = 3;`);
    apply(migrations.slice(first));
    client.exec(`insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
      values ('globex', 2, 1, 1, 'D', 1, 1)`);
    expect(client.prepare('select id, org, order_id, name from order_items order by id').raw().all()).toEqual(
      [
        [1, 'acme', 1, 'A'],
        [2, 'globex', 2, 'B'],
        [4, 'globex', 2, 'D'],
      ],
    );
  } finally {
    client.close();
  }
});
