/** The number of statements of a request depends on its shape, and not on the number of rows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';

/** Statements that a response may run. Verifying the token's signature runs none. */
const PAGE_OF_ORDERS = 3;
const ONE_ORDER = 2;

describeEachEngine('statements', (engine) => {
  // Nested lists of this size cost more than an operation may: only the number of statements matters here.
  const app = startApp(engine, { operations: { cost: 1_000_000 } });

  beforeAll(async () => {
    // More than 100 orders of one user, with items of several products.
    const items = [1, 2, 3].map((product_id) => ({ product_id, qty: 1 }));
    await Promise.all(Array.from({ length: 75 }, () => placeOrder(app, items)));
  });

  const ran = async (request: () => Promise<{ status: number }>) => {
    const { status } = await request();
    expect(status).toBe(200);
    return [...app.statements];
  };
  const graph = (document: string) => () => app.graphql(document, {}, { as: 'ada' });
  const rest = (path: string) => () => app.get(path, { as: 'ada' });

  const page = (limit: number) =>
    `{ orders(userId: 1, limit: ${limit}) {
      nodes { id total items { name qty unitPrice } } pageInfo { page limit total nextPage }
    } }`;

  for (const { door, request } of [
    { door: 'REST', request: (limit: number) => rest(`/v1/users/1/orders?limit=${limit}`) },
    { door: 'the graph', request: (limit: number) => graph(page(limit)) },
  ]) {
    test(`a page of orders with their items runs at most ${PAGE_OF_ORDERS} in ${door}, whatever its size`, async () => {
      const of20 = await ran(request(20));
      expect(of20.length, of20.join(', ')).toBeLessThanOrEqual(PAGE_OF_ORDERS);
      expect((await ran(request(5))).toSorted()).toEqual(of20.toSorted());
      expect((await ran(request(100))).toSorted()).toEqual(of20.toSorted());
    });
  }

  for (const { door, request } of [
    { door: 'REST', request: rest('/v1/orders/3') },
    { door: 'the graph', request: graph('{ order(id: 3) { id total items { name qty } } }') },
  ]) {
    test(`one order with its items runs at most ${ONE_ORDER} in ${door}`, async () => {
      const names = await ran(request);
      expect(names.length, names.join(', ')).toBeLessThanOrEqual(ONE_ORDER);
    });
  }

  test('items are not read when they are not selected', async () => {
    expect(await ran(graph('{ order(id: 3) { id total } }'))).toEqual(['orders.byId']);
  });

  test('a 304 runs no more statements than the full response', async () => {
    await app.get('/v1/orders/3', { as: 'ada', headers: { 'if-none-match': '"v1"' } });
    expect(app.statements.length).toBeLessThanOrEqual(ONE_ORDER);
  });

  describe('nested lists', () => {
    const nested = (size: number) =>
      `{ orders(userId: 1, limit: ${size}) { nodes {
        user { name orders(first: ${size}) { items { product { name } } } }
        items { product { name } }
      } } }`;

    test('load user, orders, items and products below a list together, whatever its size', async () => {
      const few = await ran(graph(nested(2)));
      const many = await ran(graph(nested(50)));
      expect(many.toSorted()).toEqual(few.toSorted());
      // Items and products are on two levels, everything else on one.
      for (const [name, runs] of Map.groupBy(many, String)) expect(runs.length, name).toBeLessThanOrEqual(2);
    });

    test('run one statement per level for the orders of a user with items and products', async () => {
      const document = (size: number) =>
        `{ user(id: 1) { orders(last: ${size}) { items { product { name } } } } }`;
      const names = await ran(graph(document(3)));
      expect(names).toEqual(['users.byId', 'orders.newestOfUsersWhole', 'products.byIds']);
      expect(await ran(graph(document(100)))).toEqual(names);
    });
  });
});
