/**
 * The SQLite migration after which items of orders name an organisation. For PostgreSQL, see
 * `migrating-beside-readers`.
 */
import { expect, test } from 'vitest';
import { openBefore } from './sqlite-migrations.ts';

test('items get the organisation of their order, and their ids are not reused', () => {
  using database = openBefore('__new_order_items');
  const { client } = database;
  client.exec(`insert into orders (id, org, user_id, status, total, currency, created_at, updated_at)
        values (1, 'acme', 1, 'pending', 1, 'USD', 0, 0), (2, 'globex', 2, 'pending', 1, 'USD', 0, 0);
      insert into order_items (id, order_id, position, product_id, name, unit_price, qty)
        values (1, 1, 0, 1, 'A', 1, 1), (2, 2, 0, 1, 'B', 1, 1), (3, 2, 1, 1, 'C', 1, 1);
      delete from order_items where id = 3;`);
  database.migrate();
  client.exec(`insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
      values ('globex', 2, 1, 1, 'D', 1, 1)`);
  expect(client.prepare('select id, org, order_id, name from order_items order by id').raw().all()).toEqual([
    [1, 'acme', 1, 'A'],
    [2, 'globex', 2, 'B'],
    [4, 'globex', 2, 'D'],
  ]);
});
