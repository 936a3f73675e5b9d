import { beforeAll, expect, test } from 'vitest';
import { documents, events, orderItems, orders } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { seed } from '../../src/cli/demo/seed.ts';
import type { Database } from '../../src/db/database.ts';
import { findBodies, findReadableDocuments, findReadableIds } from '../../src/db/queries/document-lists.ts';
import { insertDocument } from '../../src/db/queries/documents.ts';
import { countUnreadEvents } from '../../src/db/queries/events.ts';
import { itemsOfOrders } from '../../src/db/queries/order-items.ts';
import { fewOrdersOfUsers, pageOfOrders } from '../../src/db/queries/order-lists.ts';
import { activeProducts, products } from '../../src/db/queries/products.ts';
import { findUserByEmail, users } from '../../src/db/queries/users.ts';
import type { Reader } from '../../src/db/visibility.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addEmptyOrder } from '../support/fixtures/rows.ts';

const hash = async (password: string) => `hash of ${password}`;

describeEachEngine('the demo data', (engine) => {
  let installed: boolean[];

  beforeAll(async () => {
    installed = await Promise.all([1, 2, 3].map(() => installDemo(engine.database, hash)));
  });

  test('is installed once by several instances', async () => {
    expect(installed.filter(Boolean)).toHaveLength(1);
    expect(await installDemo(engine.database, () => Promise.reject(new Error('hashed in vain')))).toBe(false);
    expect(await engine.place.query('select count(*) as n from orders')).toEqual([
      { n: expect.toSatisfy((n) => Number(n) === 65) },
    ]);
  });

  test.each([
    [1, 'acme', 'ada@acme.test', 'admin'],
    [2, 'acme', 'ed@acme.test', 'editor'],
    [3, 'acme', 'vic@acme.test', 'viewer'],
    [4, 'globex', 'gil@globex.test', 'admin'],
  ])('has user %i of %s: %s, %s', async (id, org, email, role) => {
    const user = await findUserByEmail(engine.database, email.toUpperCase());
    expect(user).toMatchObject({ id, org, email, role, passwordHash: 'hash of portico-demo', version: 1 });
    expect(await users.find(engine.database, org, id)).toEqual(user);
  });

  test('has 12 products of acme and 3 of globex', async () => {
    const ids = async (org: string) =>
      (await activeProducts.after(engine.database, { org, fromId: 0, limit: 100 })).map(({ id }) => id);
    expect(await ids('acme')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await ids('globex')).toEqual([13, 14, 15]);
    expect(await products.find(engine.database, 'acme', 1)).toMatchObject({
      unitPrice: 1999,
      currency: 'USD',
    });
    expect(await products.find(engine.database, 'acme', 11)).toMatchObject({ currency: 'JPY' });
    expect(await products.find(engine.database, 'acme', 12)).toMatchObject({ currency: 'BHD' });
  });

  test('has 60 orders of acme, 30 of them by ada, and 5 of globex', async () => {
    const total = async (org: string, userId: number, status: 'pending' | 'shipped' | 'cancelled' | null) =>
      (
        await pageOfOrders(engine.database, {
          org,
          userId,
          status,
          sort: 'id',
          descending: false,
          limit: 1,
          offset: 0,
        })
      ).total;
    expect(await total('acme', 1, null)).toBe(30);
    expect(await total('acme', 1, 'pending')).toBeGreaterThan(12);
    expect(await total('acme', 1, 'shipped')).toBeGreaterThan(0);
    expect(await total('acme', 1, 'cancelled')).toBeGreaterThan(0);
    expect((await total('acme', 2, null)) + (await total('acme', 3, null))).toBe(30);
    expect(await total('globex', 4, null)).toBe(5);
    expect(await total('acme', 4, null)).toBe(0);
  });

  test('is stored as declared, to the millisecond', async () => {
    const stored = await fewOrdersOfUsers(
      engine.database,
      { org: 'acme', userIds: [1, 2, 3], size: 100 },
      { end: 'first', whole: false },
    );
    const declared = orders.filter(({ org }) => org === 'acme').map(({ org: _, ...order }) => order);
    expect(stored.toSorted((a, b) => a.id - b.id)).toEqual(declared);
    expect(
      await itemsOfOrders(engine.database, { org: 'acme', orderIds: orders.map(({ id }) => id) }),
    ).toEqual(orderItems.filter(({ org }) => org === 'acme').map(({ org: _, ...item }) => item));
    const admin = { org: 'acme', readerId: 1, role: 'admin' } as const;
    expect(await countUnreadEvents(engine.database, admin, 0, EVENT_TYPES)).toBe(
      events.filter(({ org }) => org === 'acme').length,
    );
    const declaredDocuments = documents.filter(({ org }) => org === 'acme');
    const listed = await readable(engine.database, admin);
    const bodies = await findBodies(engine.database, { org: 'acme', ids: listed.map(({ id }) => id) });
    expect(listed.map((row) => ({ ...row, ...bodies.find(({ id }) => id === row.id) }))).toEqual(
      declaredDocuments.map((document) => ({ ...document, deletedAt: null })),
    );
  });

  test('has documents 1 public, 2 internal and 3 confidential of acme, by ada, and 4 of globex', async () => {
    const of = (org: string, readerId: number) => readable(engine.database, { org, readerId, role: 'admin' });
    expect((await of('acme', 1)).map((row) => [row.id, row.classification, row.authorId])).toEqual([
      [1, 'public', 1],
      [2, 'internal', 1],
      [3, 'confidential', 1],
    ]);
    expect((await of('globex', 4)).map((row) => [row.id, row.authorId])).toEqual([[4, 4]]);
  });

  test('leaves the next id to the next document', async () => {
    const text = { title: 'Next', body: '', classification: 'internal' } as const;
    const { id } = await engine.database.transaction((tx) =>
      insertDocument(tx, { org: 'acme', authorId: 1, ...text, now: new Date() }),
    );
    expect(id).toBe(5);
  });

  test('leaves the next id to the next order', async () => {
    const { id } = await engine.database.transaction((tx) => addEmptyOrder(tx));
    expect(id).toBe(66);
  });

  test('can be extended by seeding repeatedly', async () => {
    const counts = async () => {
      const [row] = await engine.place.query(`select
        (select count(*) from users) as users, (select count(*) from orders) as orders,
        (select count(*) from order_items) as items, (select sum(orders) from order_counts) as counted, (select count(*) from events) as events`);
      return Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
    };
    const before = await counts();
    const progress: number[] = [];
    await seed({ database: engine.database, orders: 730, onProgress: (done) => progress.push(done) });
    await seed({ database: engine.database, orders: 20 });
    expect(progress).toEqual([500, 730]);
    const after = await counts();
    const added = Object.fromEntries(
      Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
    );
    expect(added).toEqual({ users: 9, orders: 750, counted: 750, items: 2250, events: 750 + 750 * 0.4 });
    const wrong = await engine.place.query(`select o.id from orders o where o.total <>
      (select sum(i.qty * i.unit_price) from order_items i where i.order_id = o.id)`);
    expect(wrong).toEqual([]);
  });
});

test('the demo data is consistent', () => {
  for (const order of orders) {
    const items = orderItems.filter(({ orderId }) => orderId === order.id);
    expect(items.length).toBeGreaterThanOrEqual(1);
    expect(items.length).toBeLessThanOrEqual(4);
    expect(new Set(items.map(({ productId }) => productId)).size).toBe(items.length);
    expect(items.reduce((sum, { qty, unitPrice }) => sum + qty * unitPrice, 0)).toBe(order.total);
    const story = events
      .filter(({ subjectType, subjectId }) => subjectType === 'order' && subjectId === order.id)
      .map(({ type }) => type);
    expect(story).toEqual(
      order.status === 'pending' ? ['order.created'] : ['order.created', `order.${order.status}`],
    );
  }
  const ofDocuments = events.filter(({ subjectType }) => subjectType === 'document');
  expect(ofDocuments.map(({ type, subjectId }) => [type, subjectId])).toEqual(
    documents.map(({ id }) => ['document.created', id]),
  );
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  expect(events).toEqual(
    events.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id),
  );
  expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(['USD', 'JPY', 'BHD']));
  const moments = orders.map(({ createdAt }) => createdAt.getTime());
  const distinct = new Set(moments).size;
  expect(distinct).toBeLessThan(moments.length);
  expect(distinct).toBeGreaterThan(moments.length * 0.8);
});

async function readable(database: Database, reader: Reader) {
  const { rows } = await findReadableIds(database, { ...reader, fromId: 0, limit: 10 }, null, 'forwards');
  return findReadableDocuments(database, { ...reader, ids: rows.map(({ id }) => id) });
}
