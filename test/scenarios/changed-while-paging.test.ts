/** Pages of lists whose rows are changed or deleted while a page is read: all other rows appear exactly once. */
import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { CursorPage } from '../support/response-bodies.ts';
import { Disturbance, membersOf } from '../support/test-doubles.ts';

/** The lists whose pages are read by more than one statement, and some others, with the path of an item. */
const LISTS: readonly (readonly [list: string, item: string])[] = [
  ['/v1/orders?sort=created_at', '/v1/orders'],
  ['/v1/orders?sort=-created_at', '/v1/orders'],
  ['/v1/orders?sort=total', '/v1/orders'],
  ['/v1/orders?sort=-total', '/v1/orders'],
  ['/v1/orders?status=pending', '/v1/orders'],
  ['/v1/orders?user_id=1', '/v1/orders'],
  ['/v1/orders?product_id=1', '/v1/orders'],
  ['/v1/orgs/acme/docs?classification=internal', '/v1/orgs/acme/docs'],
  ['/v1/orgs/acme/docs?q=lantern', '/v1/orgs/acme/docs'],
  ['/v1/products?archived=false', '/v1/products'],
  ['/v1/products?q=lantern', '/v1/products'],
];

/** How a row of each kind is added, by the path of an item: the path, and the body. */
const ADDING: Readonly<Record<string, readonly [path: string, body: (n: number) => object]>> = {
  '/v1/orders': ['/v1/users/1/orders', (n) => ({ items: [{ product_id: 1, qty: (n % 5) + 1 }] })],
  '/v1/orgs/acme/docs': [
    '/v1/orgs/acme/docs',
    (n) => ({ title: `Lantern ${n}`, body: 'A text.', classification: 'internal' }),
  ],
  '/v1/products': ['/v1/products', (n) => ({ name: `Lantern ${n}`, unit_price: 5, currency: 'USD' })],
};

const SIZE = 3;

/** The rows that each test adds: enough for several pages of which each loses two rows. */
const ADDED = 14;

describeEachEngine('while a page is read,', (engine) => {
  /** Happens after the next statement about rows of a list. */
  const disturbance = new Disturbance();
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: (statement, ...others) => {
      const result = database.run(statement, ...others);
      return /^(orders|documents|products)\./i.test(statement.name) ? disturbance.after(result) : result;
    },
  });
  const app = startApp(engine, { around });

  async function addRows(item: string): Promise<void> {
    const [path = '', bodyOf] = ADDING[item] ?? [];
    for (let n = 0; n < ADDED; n += 1) {
      expect((await app.post(path, { as: 'ada', body: bodyOf?.(n) })).status).toBe(201);
    }
  }

  async function readPage(list: string, cursor: string | null, limit: number) {
    const path = `${list}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await app.get<CursorPage<{ readonly id: number }>>(path, { as: 'ada' });
    expect(status).toBe(200);
    return { ids: body.data.map(({ id }) => id), next: body.next_cursor };
  }

  async function readAll(list: string, limit: number, before?: (cursor: string | null) => Promise<void>) {
    const ids: number[] = [];
    let cursor: string | null = null;
    do {
      await before?.(cursor);
      const page = await readPage(list, cursor, limit);
      ids.push(...page.ids);
      cursor = page.next;
    } while (cursor !== null);
    return ids;
  }

  test.each(LISTS)('rows of %s are deleted: all others appear exactly once', async (list, item) => {
    await addRows(item);
    const gone = new Set<number>();
    const before = await readAll(list, 100);
    const seen = await readAll(list, SIZE, async (cursor) => {
      // The last row of the page, and the one from which the server learns that more follow.
      const { ids } = await readPage(list, cursor, SIZE + 1);
      const last = gone.size < ADDED / 2 ? ids.slice(SIZE - 1) : [];
      disturbance.next = async () => {
        for (const id of last) {
          gone.add(id);
          expect((await app.delete(`${item}/${id}`, { as: 'ada' })).status).toBeLessThan(300);
        }
      };
    });
    expect(gone.size).toBeGreaterThan(SIZE);
    expect(seen.filter((id) => !gone.has(id))).toEqual(before.filter((id) => !gone.has(id)));
  });

  test('the total that a list is sorted by is changed: all others appear exactly once', async () => {
    const list = '/v1/orders?sort=total';
    for (const qty of [1, 1, 2, 2, 2, 3, 3, 4, 5, 6]) await placeOrder(app, [{ product_id: 1, qty }]);
    const before = await readAll(list, 100);
    const statuses: number[] = [];
    const changed = new Set<number>();
    const seen = await readAll(list, SIZE, async (cursor) => {
      const { ids } = await readPage(list, cursor, SIZE + 1);
      disturbance.next = async () => {
        // The order at the end of the page, if it is pending.
        const [id] = ids.slice(SIZE - 1);
        if (id === undefined || changed.size > SIZE) return;
        const body = { items: [{ product_id: 1, qty: 9000 }] };
        const { status } = await app.put(`/v1/orders/${id}`, { as: 'ada', body });
        statuses.push(status);
        if (status === 200) changed.add(id);
      };
    });
    expect(statuses).toContain(200);
    const unchanged = (ids: readonly number[]) => ids.filter((id) => !changed.has(id));
    expect(unchanged(seen)).toEqual(unchanged(before));
  });
});
