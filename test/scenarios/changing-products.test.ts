/** Creating, changing and archiving products, through both doors. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { CursorPage, Product } from '../support/response-bodies.ts';

const LAMP = { name: 'Floor lamp', unit_price: 89.5, currency: 'USD' };

const CREATE = `mutation ($input: CreateProductInput!, $key: String) {
  createProduct(input: $input, idempotencyKey: $key) { id name unitPrice currency archivedAt version }
}`;

describeEachEngine('products', (engine) => {
  const app = startApp(engine);
  const add = async (body: object = LAMP) =>
    (await app.post<Product>('/v1/products', { as: 'ed', body })).body;
  const pathOf = ({ id }: Product) => `/v1/products/${id}`;
  const eventsOf = async ({ id }: Product) =>
    (await app.events())
      .filter(({ subjectType, subjectId }) => subjectType === 'product' && subjectId === id)
      .map(({ type, actorId, data }) => ({ type, actorId, data }));

  test('are created, and can be ordered at once', async () => {
    const created = await app.post<Product>('/v1/products', { as: 'ed', body: LAMP });
    const { id } = created.body;
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(`/v1/products/${id}$`),
    ]);
    expect(created.body).toMatchObject({ ...LAMP, archived_at: null });
    expect((await app.get(`/v1/products/${id}`, { as: 'vic' })).body).toEqual(created.body);
    expect(await eventsOf(created.body)).toEqual([{ type: 'product.created', actorId: 2, data: LAMP }]);
    expect((await placeOrder(app, [{ product_id: id, qty: 2 }])).total).toBe(179);
  });

  test('are created once for an idempotency key, through each door', async () => {
    const headers = { 'idempotency-key': 'lamp-1' };
    const first = await app.post<Product>('/v1/products', { as: 'ed', body: LAMP, headers });
    const again = await app.post<Product>('/v1/products', { as: 'ed', body: LAMP, headers });
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const other = await app.post('/v1/products', { as: 'ed', body: { ...LAMP, name: 'Other' }, headers });
    expectError(other, { status: 422, code: 'idempotency_key_reused' });
    const input = { name: 'Floor lamp', unitPrice: 89.5, currency: 'USD' };
    const graph = await app.graphql(CREATE, { input, key: 'lamp-1' }, { as: 'ed' });
    expect(graph.body.data).toMatchObject({ createProduct: { id: String(first.body.id) } });
  });

  describe('are refused', () => {
    for (const { given, change, paths } of [
      { given: 'with a name of blanks', change: { name: ' \t' }, paths: ['name'] },
      { given: 'with a price below 0', change: { unit_price: -1 }, paths: ['unit_price'] },
      {
        given: 'with a price of three decimals in USD',
        change: { unit_price: 1.005 },
        paths: ['unit_price'],
      },
      {
        given: 'with a price of one decimal in JPY',
        change: { unit_price: 1.5, currency: 'JPY' },
        paths: ['unit_price'],
      },
      { given: 'with a price beyond every bound', change: { unit_price: 10_000_000 }, paths: ['unit_price'] },
      { given: 'without a currency', change: { currency: 'usd' }, paths: ['currency'] },
      { given: 'with gold as the currency', change: { currency: 'XAU' }, paths: ['currency'] },
      { given: 'with a withdrawn currency', change: { currency: 'BGN' }, paths: ['currency'] },
    ]) {
      test(given, async () => {
        const body = { ...LAMP, ...change };
        const response = await writesNothing(app, () => app.post('/v1/products', { as: 'ada', body }));
        expectError(response, { status: 422, code: 'validation_failed', paths });
      });
    }
  });

  test('are free, or cost exactly the given price', async () => {
    for (const [unit_price, currency] of [
      [0, 'USD'],
      [0.1, 'USD'],
      [1234, 'JPY'],
      [1.125, 'BHD'],
      [9_999_999.99, 'USD'],
    ] as const) {
      expect(await add({ name: 'Exact', unit_price, currency })).toMatchObject({ unit_price, currency });
    }
  });

  describe('can be changed', () => {
    test('at the expected version, and orders keep their prices', async () => {
      const product = await add();
      const order = await placeOrder(app, [{ product_id: product.id, qty: 1 }]);
      const headers = { 'if-match': '"v1"' };
      const changed = await app.patch<Product>(pathOf(product), {
        as: 'ed',
        body: { unit_price: 99 },
        headers,
      });
      expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v2"']);
      expect(changed.body).toMatchObject({ ...LAMP, unit_price: 99 });
      const stale = await writesNothing(app, () =>
        app.patch(pathOf(product), { as: 'ed', body: { name: 'Late' }, headers }),
      );
      expectError(stale, { status: 412, code: 'precondition_failed' });
      expect((await app.get(`/v1/orders/${order.id}`, { as: 'ada' })).body).toMatchObject({ total: 89.5 });
      expect((await eventsOf(product)).at(-1)).toEqual({
        type: 'product.updated',
        actorId: 2,
        data: { ...LAMP, unit_price: 99 },
      });
    });

    test('currency and price together', async () => {
      const product = await add();
      const alone = await writesNothing(app, () =>
        app.patch(pathOf(product), { as: 'ed', body: { currency: 'JPY' } }),
      );
      expectError(alone, { status: 422, code: 'validation_failed', paths: ['currency'] });
      const both = await app.patch(pathOf(product), {
        as: 'ed',
        body: { currency: 'JPY', unit_price: 9000 },
      });
      expect(both.body).toMatchObject({ currency: 'JPY', unit_price: 9000 });
      const decimals = await writesNothing(app, () =>
        app.patch(pathOf(product), { as: 'ed', body: { unit_price: 1.5 } }),
      );
      expectError(decimals, { status: 422, code: 'validation_failed', paths: ['unit_price'] });
    });

    test('without effect by an empty change', async () => {
      const product = await add();
      const response = await writesNothing(app, () => app.patch(pathOf(product), { as: 'ed', body: {} }));
      expect([response.status, response.body]).toEqual([200, product]);
    });

    test('but not products that do not exist', async () => {
      for (const request of [
        () => app.patch('/v1/products/999999', { as: 'ada', body: { name: 'Mine' } }),
        () => app.request('DELETE', '/v1/products/999999', { as: 'ada' }),
      ]) {
        expectError(await writesNothing(app, request), { status: 404, code: 'not_found' });
      }
    });
  });

  describe('once archived', () => {
    const archive = (product: Product, headers = {}) =>
      app.request('DELETE', pathOf(product), { as: 'ed', headers });
    const listed = async (query: string) =>
      (await app.get<CursorPage<Product>>(`/v1/products?limit=100${query}`, { as: 'vic' })).body.data.map(
        ({ id }) => id,
      );

    test('can no longer be ordered, are listed separately, and stay in orders', async () => {
      const product = await add();
      const items = [{ product_id: product.id, qty: 1 }];
      const order = await placeOrder(app, items);
      expect((await archive(product)).status).toBe(204);
      const refused = await writesNothing(app, () =>
        app.post('/v1/users/1/orders', { as: 'ada', body: { items } }),
      );
      expectError(refused, { status: 422, code: 'validation_failed', paths: ['items.0.product_id'] });
      const replace = (qty: number) => () =>
        app.put(`/v1/orders/${order.id}`, { as: 'ada', body: { items: [{ product_id: product.id, qty }] } });
      expectError(await writesNothing(app, replace(2)), {
        status: 422,
        code: 'validation_failed',
        paths: ['items.0.product_id'],
      });
      // The order has these items already.
      expect(await writesNothing(app, replace(1))).toMatchObject({ status: 200, body: order });
      expect((await app.get(`/v1/orders/${order.id}`, { as: 'ada' })).body).toEqual(order);
      const graph = await app.graphql(
        `{ order(id: ${order.id}) { items { product { name archivedAt } } } }`,
        {},
        { as: 'ada' },
      );
      expect(graph.body.data).toEqual({
        order: { items: [{ product: { name: LAMP.name, archivedAt: expect.any(String) } }] },
      });
      expect((await app.get(pathOf(product), { as: 'vic' })).body).toMatchObject({
        archived_at: expect.any(String),
      });
      expect(await listed('')).not.toContain(product.id);
      expect(await listed('&archived=false')).not.toContain(product.id);
      expect(await listed('&archived=true')).toContain(product.id);
      expect((await eventsOf(product)).at(-1)).toEqual({ type: 'product.archived', actorId: 2, data: LAMP });
    });

    test('stay archived without a second event, and only at the given version', async () => {
      const product = await add();
      expectError(await writesNothing(app, () => archive(product, { 'if-match': '"v7"' })), {
        status: 412,
        code: 'precondition_failed',
      });
      expect((await archive(product, { 'if-match': '"v1"' })).status).toBe(204);
      expect((await writesNothing(app, () => archive(product))).status).toBe(204);
    });

    test('become available again, with an event of their own, once', async () => {
      const product = await add();
      await archive(product);
      const restore = () =>
        app.patch<Product>(pathOf(product), { as: 'ed', body: { archived: false, name: 'Lamp' } });
      expect((await restore()).body).toMatchObject({ name: 'Lamp', archived_at: null });
      expect((await eventsOf(product)).slice(-2).map(({ type }) => type)).toEqual([
        'product.updated',
        'product.restored',
      ]);
      expect(await listed('')).toContain(product.id);
      await placeOrder(app, [{ product_id: product.id, qty: 1 }]);
      expect((await writesNothing(app, restore)).status).toBe(200);
    });

    test('are archived by a change as well, and keep their time', async () => {
      const product = await add();
      const change = () => app.patch<Product>(pathOf(product), { as: 'ed', body: { archived: true } });
      const { archived_at: time } = (await change()).body;
      expect(time).toEqual(expect.any(String));
      expect((await eventsOf(product)).at(-1)?.type).toBe('product.archived');
      app.clock.advance(1000);
      expect((await writesNothing(app, change)).body.archived_at).toBe(time);
    });

    test('have their own cursors', async () => {
      for (const product of [await add(), await add()]) await archive(product);
      const { body } = await app.get<CursorPage<Product>>('/v1/products?archived=true&limit=1', {
        as: 'vic',
      });
      const next = (query: string) =>
        app.get(`/v1/products?${query}cursor=${body.next_cursor}`, { as: 'vic' });
      expect((await next('archived=true&')).status).toBe(200);
      expectError(await next(''), { status: 400, code: 'invalid_cursor' });
    });

    test('GraphQL archives and lists as well', async () => {
      const product = await add();
      const archived = await app.graphql(
        'mutation ($id: ID!) { archiveProduct(id: $id, ifVersion: [1]) { version archivedAt } }',
        { id: product.id },
        { as: 'ed' },
      );
      expect(archived.body.data).toEqual({ archiveProduct: { version: 2, archivedAt: expect.any(String) } });
      const again = await app.graphql(
        'mutation ($id: ID!) { updateProduct(id: $id, input: { name: "x" }, ifVersion: [1]) { id } }',
        { id: product.id },
        { as: 'ed' },
      );
      expect(codesOf(again)).toEqual(['precondition_failed']);
      const list = await app.graphql<{ products: { nodes: { id: string }[] } }>(
        '{ products(archived: true, first: 100) { nodes { id } } }',
        {},
        { as: 'vic' },
      );
      expect(list.body.data?.products.nodes).toContainEqual({ id: String(product.id) });
    });
  });
});
