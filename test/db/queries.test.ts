/** Every engine must return the same results, which are computed from the demo data without SQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import * as demo from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { toMajorUnits } from '../../src/core/money.ts';
import { countUnreadEvents, insertEvent, newestEventId } from '../../src/db/queries/events.ts';
import { insertAppMember } from '../../src/db/queries/installations.ts';
import { insertOrderItems, itemsOfOrders } from '../../src/db/queries/order-items.ts';
import {
  fewOrdersOfUsers,
  ORDER_SORTS,
  type OrderSort,
  pageOfOrders,
} from '../../src/db/queries/order-lists.ts';
import {
  deleteOrder,
  orders,
  ownerOfOrder,
  replaceOrderItems,
  transitionOrder,
} from '../../src/db/queries/orders.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { activeProducts, findProducts, products } from '../../src/db/queries/products.ts';
import {
  findUserByEmail,
  findUsers,
  markFeedRead,
  newestUserId,
  renameUser,
  users,
} from '../../src/db/queries/users.ts';
import type { ListedOrder, OrderRow } from '../../src/db/rows.ts';
import { ORDER_STATUSES } from '../../src/db/tables/orders.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addEmptyOrder } from '../support/fixtures/rows.ts';

const now = new Date('2026-08-01T10:20:30.456Z');

const present: readonly OrderRow[] = demo.orders.map((order) => ({ ...order, deletedAt: null }));
const listed: readonly ListedOrder[] = demo.orders.map(({ org: _, ...order }) => order);
const ofUser = (userId: number) => listed.filter((order) => order.userId === userId);
/** A user who may read everything of an organisation. */
const adminOf = (org: string) => ({ org, readerId: 0, role: 'admin' }) as const;
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

const keyOf: Record<OrderSort, (order: ListedOrder) => number> = {
  created_at: ({ createdAt }) => createdAt.getTime(),
  total: ({ total, currency }) => toMajorUnits(total, currency),
  id: ({ id }) => id,
};

function sorted(rows: readonly ListedOrder[], sort: OrderSort, descending: boolean): readonly ListedOrder[] {
  const key = keyOf[sort];
  const ascending = rows.toSorted((a, b) => key(a) - key(b) || a.id - b.id);
  return descending ? ascending.toReversed() : ascending;
}

describeEachEngine('reading', (engine) => {
  beforeAll(() => installDemo(engine.database, async (password) => password));

  const cases = ORDER_SORTS.flatMap((sort) =>
    [true, false].flatMap((descending) =>
      [null, ...ORDER_STATUSES].map((status) => ({ sort, descending, status })),
    ),
  );
  test.each(cases)('a page of orders: $sort, descending $descending, status $status', async (query) => {
    const { sort, descending, status } = query;
    const expected = sorted(
      ofUser(1).filter((order) => status === null || order.status === status),
      sort,
      descending,
    );
    for (const [limit, offset] of [
      [100, 0],
      [5, 0],
      [5, 5],
      [1, expected.length - 1],
      [5, expected.length],
      [5, 1000],
    ] as const) {
      const page = await pageOfOrders(engine.database, { org: 'acme', userId: 1, ...query, limit, offset });
      expect(page).toEqual({ rows: expected.slice(offset, offset + limit), total: expected.length });
    }
  });

  test('a page of orders of a user of another organisation is empty', async () => {
    const query = { status: null, sort: 'id', descending: false, limit: 10, offset: 0 } as const;
    const page = await pageOfOrders(engine.database, { org: 'globex', userId: 1, ...query });
    expect(page).toEqual({ rows: [], total: 0 });
  });

  test.each(
    [[1, 2, 3], [3, 1], [2], [1, 4, 99], []].flatMap((userIds) =>
      ([1, 3, 100] as const).flatMap((size) =>
        (['first', 'last'] as const).map((end) => ({ userIds, size, end })),
      ),
    ),
  )('the $end $size orders of users $userIds', async ({ userIds, size, end }) => {
    const expected = userIds
      .toSorted((a, b) => a - b)
      .filter((userId) => userId <= 3)
      .flatMap((userId) => sorted(ofUser(userId), 'created_at', end === 'last').slice(0, size));
    expect(
      await fewOrdersOfUsers(engine.database, { org: 'acme', userIds, size }, { end, whole: false }),
    ).toEqual(expected);
  });

  /** As queries return them. */
  const itemsOfAcme = demo.orderItems.filter(({ org }) => org === 'acme').map(({ org: _, ...item }) => item);

  test('items of many orders, sorted by order and position, in one statement for any number', async () => {
    const wanted = [61, 7, 3, 12345];
    const items = await itemsOfOrders(engine.database, { org: 'acme', orderIds: wanted });
    expect(items).toEqual(itemsOfAcme.filter(({ orderId }) => wanted.includes(orderId)));
    expect(await itemsOfOrders(engine.database, { org: 'acme', orderIds: [] })).toEqual([]);
    expect(
      await itemsOfOrders(engine.database, {
        org: 'acme',
        orderIds: Array.from({ length: 5000 }, (_, n) => n),
      }),
    ).toEqual(itemsOfAcme);
  });

  test('one order, only in its organisation', async () => {
    expect(await orders.find(engine.database, 'acme', 7)).toEqual(present[6]);
    expect(await orders.find(engine.database, 'globex', 7)).toBeUndefined();
    expect(await orders.find(engine.database, 'acme', 9999)).toBeUndefined();
    expect(await ownerOfOrder(engine.database, { id: 7 })).toEqual({ org: 'acme', deletedAt: null });
    expect(await ownerOfOrder(engine.database, { id: 9999 })).toBeUndefined();
  });

  test('users and products, only in their organisation', async () => {
    expect(idsOf(await findUsers(engine.database, { org: 'acme', ids: [3, 4, 1, 99] }))).toEqual([1, 3]);
    expect(await users.find(engine.database, 'globex', 1)).toBeUndefined();
    expect(await users.orgOf(engine.database, 1)).toBe('acme');
    expect(await users.orgOf(engine.database, 99)).toBeUndefined();
    expect(await findUserByEmail(engine.database, 'unknown@acme.test')).toBeUndefined();
    expect(await newestUserId(engine.database)).toBe(4);
    expect(await findProducts(engine.database, { org: 'acme', ids: [13, 12, 1, 99] })).toMatchObject([
      demo.products[0],
      demo.products[11],
    ]);
    expect(await products.find(engine.database, 'acme', 13)).toBeUndefined();
    expect(await products.orgOf(engine.database, 13)).toBe('globex');
    expect(await products.orgOf(engine.database, 99)).toBeUndefined();
    const last = await activeProducts.after(engine.database, { org: 'acme', fromId: 10, limit: 100 });
    expect(last).toMatchObject([demo.products[10], demo.products[11]]);
    const first = await activeProducts.after(engine.database, { org: 'acme', fromId: 0, limit: 3 });
    expect(idsOf(first)).toEqual([1, 2, 3]);
    expect(await listOrganisations(engine.database)).toEqual(demo.organisations);
  });

  test('the number of events after an id', async () => {
    const ofAcme = demo.events.filter(({ org }) => org === 'acme');
    expect(await countUnreadEvents(engine.database, adminOf('acme'), 0, EVENT_TYPES)).toBe(ofAcme.length);
    expect(await countUnreadEvents(engine.database, adminOf('acme'), 10, EVENT_TYPES)).toBe(
      ofAcme.filter(({ id }) => id > 10).length,
    );
    expect(await newestEventId(engine.database, 'acme')).toBe(ofAcme.at(-1)?.id);
    expect(await newestEventId(engine.database, 'nowhere')).toBe(0);
    expect(await countUnreadEvents(engine.database, adminOf('nowhere'), 0, EVENT_TYPES)).toBe(0);
  });
});

describeEachEngine('writing', (engine) => {
  beforeAll(() => installDemo(engine.database, async (password) => password));

  const line = (productId: number, qty: number) => ({
    productId,
    name: `Product ${productId}`,
    unitPrice: 250,
    qty,
  });
  const addAppMember = (email: string) => {
    const member = { org: 'acme', email, name: 'Ledger', role: 'viewer', lastReadEventId: 0, now } as const;
    return engine.database.transaction((tx) => insertAppMember(tx, member));
  };
  const addOrder = (userId = 1) => engine.database.transaction((tx) => addEmptyOrder(tx, { userId, now }));

  test('creating an order returns its row and its items in order', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => line(1 + (n % 12), 1 + n));
    const { order, items } = await engine.database.transaction(async (tx) => {
      const order = await addEmptyOrder(tx, { userId: 2, total: 9, currency: 'BHD', now });
      return { order, items: await insertOrderItems(tx, order.org, order.id, lines) };
    });
    expect(order).toEqual({
      id: expect.any(Number),
      org: 'acme',
      userId: 2,
      status: 'pending',
      total: 9,
      currency: 'BHD',
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    expect(items).toEqual(
      lines.map((each, position) => ({ ...each, id: expect.any(Number), orderId: order.id, position })),
    );
    expect(await orders.find(engine.database, 'acme', order.id)).toEqual(order);
    expect(await itemsOfOrders(engine.database, { org: 'acme', orderIds: [order.id] })).toEqual(items);
  });

  test.each([0, 101])('%i items are refused', async (count) => {
    const order = await addOrder();
    const lines = Array.from({ length: count }, () => line(1, 1));
    const attempt = engine.database.transaction((tx) => insertOrderItems(tx, order.org, order.id, lines));
    await expect(attempt).rejects.toThrow('An order has 1 to 100 items');
    expect(await itemsOfOrders(engine.database, { org: 'acme', orderIds: [order.id] })).toEqual([]);
  });

  const later = new Date(now.getTime() + 1000);
  const moves = {
    transition: (id: number, org: string, versions: readonly number[] | null) =>
      engine.database.transaction((tx) =>
        transitionOrder(tx, { org, id, versions, status: 'shipped', now: later }),
      ),
    replace: (id: number, org: string, versions: readonly number[] | null) =>
      engine.database.transaction((tx) =>
        replaceOrderItems(tx, { org, id, versions, total: 750, currency: 'USD', now: later }, [line(2, 3)]),
      ),
    delete: (id: number, org: string, versions: readonly number[] | null) =>
      engine.database.transaction((tx) => deleteOrder(tx, { org, id, versions, now: later })),
  };

  describe.each(['transition', 'replace', 'delete'] as const)('%s', (move) => {
    test.each([
      ['of any version', 'acme', null, true],
      ['of its version', 'acme', [1], true],
      ['of one of several versions', 'acme', [7, 1, 3], true],
      ['of another version', 'acme', [2, 3], false],
      ['of no version', 'acme', [], false],
      ['of another organisation', 'globex', null, false],
    ] as const)('an order %s', async (_title, org, versions, succeeds) => {
      const order = await addOrder();
      await engine.database.transaction((tx) => insertOrderItems(tx, order.org, order.id, [line(1, 2)]));
      expect(Boolean(await moves[move](order.id, org, versions))).toBe(succeeds);
      const after = await orders.find(engine.database, 'acme', order.id);
      const items = (await itemsOfOrders(engine.database, { org: 'acme', orderIds: [order.id] })).map(
        ({ productId, qty }) => [productId, qty],
      );
      if (!succeeds) {
        expect(after).toEqual(order);
        expect(items).toEqual([[1, 2]]);
        return;
      }
      const changed = { ...order, version: 2, updatedAt: later };
      const expected = {
        transition: { ...changed, status: 'shipped' },
        replace: { ...changed, total: 750 },
        delete: undefined,
      };
      expect(after).toEqual(expected[move]);
      expect(items).toEqual(move === 'replace' ? [[2, 3]] : [[1, 2]]);
    });

    test.each(['shipped', 'deleted'] as const)('an order that is %s', async (state) => {
      const order = await addOrder();
      if (state === 'shipped') await moves.transition(order.id, 'acme', null);
      else await moves.delete(order.id, 'acme', null);
      const before = await orders.find(engine.database, 'acme', order.id);
      const succeeds = move === 'delete' && state === 'shipped';
      expect(Boolean(await moves[move](order.id, 'acme', null))).toBe(succeeds);
      if (!succeeds) expect(await orders.find(engine.database, 'acme', order.id)).toEqual(before);
    });
  });

  test('a deleted order is in no list, but its organisation is still known', async () => {
    const order = await addOrder(3);
    const query = { status: null, sort: 'id', descending: true, limit: 100, offset: 0 } as const;
    const listed = async () => {
      const { rows } = await pageOfOrders(engine.database, { org: 'acme', userId: 3, ...query });
      const few = await fewOrdersOfUsers(
        engine.database,
        { org: 'acme', userIds: [3], size: 100 },
        { end: 'last', whole: false },
      );
      return { inPage: idsOf(rows).includes(order.id), inFew: idsOf(few).includes(order.id) };
    };
    expect(await listed()).toEqual({ inPage: true, inFew: true });
    await moves.delete(order.id, 'acme', null);
    expect(await listed()).toEqual({ inPage: false, inFew: false });
    expect(await ownerOfOrder(engine.database, { id: order.id })).toEqual({ org: 'acme', deletedAt: later });
  });

  test('a user’s name, guarded by version', async () => {
    const rename = (org: string, name: string, versions: readonly number[] | null) =>
      engine.database.transaction((tx) => renameUser(tx, { org, id: 2, name, versions, now }));
    const before = await users.find(engine.database, 'acme', 2);
    expect(await rename('acme', 'Never', [9])).toBeUndefined();
    expect(await rename('globex', 'Never', null)).toBeUndefined();
    expect(await users.find(engine.database, 'acme', 2)).toEqual(before);
    const renamed = await rename('acme', 'Éd “the 2nd” 𝒪’', [1]);
    expect(renamed).toEqual({ ...before, name: 'Éd “the 2nd” 𝒪’', version: 2, updatedAt: now });
    expect(await users.find(engine.database, 'acme', 2)).toEqual(renamed);
  });

  test('the member of an app is not found by its address, since it does not sign in', async () => {
    const { email } = await addAppMember('app_2.acme@apps.invalid');
    expect(await findUserByEmail(engine.database, email)).toBeUndefined();
  });

  test('the member of an app is not renamed', async () => {
    const { org, id } = await addAppMember('app_1.acme@apps.invalid');
    const change = { org, id, name: 'Ada', versions: null, now };
    expect(await engine.database.transaction((tx) => renameUser(tx, change))).toBeUndefined();
    expect(await users.find(engine.database, org, id)).toMatchObject({ name: 'Ledger', version: 1 });
  });

  test('the read position only moves forward', async () => {
    const mark = async (id: number) =>
      (await engine.database.transaction((tx) =>
        markFeedRead(tx, { org: 'acme', id: 1, lastReadEventId: id }),
      )) !== undefined;
    expect([await mark(10), await mark(5), await mark(10), await mark(11)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(await users.find(engine.database, 'acme', 1)).toMatchObject({ lastReadEventId: 11, version: 1 });
  });

  test('an event, with data of any depth and without an actor', async () => {
    const data = { total: 19.99, nested: { list: [1, null, 'ü"\\'] } };
    const before = await newestEventId(engine.database, 'globex');
    const id = await engine.database.transaction((tx) =>
      insertEvent(tx, {
        org: 'globex',
        type: 'order.updated',
        actorId: null,
        subjectType: 'order',
        subjectId: 61,
        data,
        createdAt: now,
      }),
    );
    expect(id).toBeGreaterThan(before);
    expect(await newestEventId(engine.database, 'globex')).toBe(id);
    expect(await countUnreadEvents(engine.database, adminOf('globex'), before, EVENT_TYPES)).toBe(1);
    const [row] = await engine.place.query(`select data, actor_id from events where id = ${id}`);
    const stored = row?.['data'];
    expect(typeof stored === 'string' ? JSON.parse(stored) : stored).toEqual(data);
    expect(row?.['actor_id']).toBeNull();
  });

  test('the id of a deleted row is not reused', async () => {
    const { id } = await addOrder();
    await engine.place.query(`delete from orders where id = ${id}`);
    expect((await addOrder()).id).toBeGreaterThan(id);
  });
});
