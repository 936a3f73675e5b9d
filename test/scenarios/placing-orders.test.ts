/** Placing orders, through both doors: accepted orders, and callers that are refused. */
import { describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { CREATE_ORDER, inCamelCase, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';
import { DEFAULTS } from '../support/settings.ts';

const ORDERS = '/v1/users/1/orders';

describeEachEngine('placing orders', (engine) => {
  const app = startApp(engine);

  describe('accepted', () => {
    test('an order starts as pending, at current prices, with an event', async () => {
      const before = await app.events();
      const response = await app.post<Order>(ORDERS, { as: 'ada', body: { items: TWO_LAMPS } });

      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        id: expect.any(Number),
        user_id: 1,
        status: 'pending',
        total: 39.98,
        currency: 'USD',
        items: [
          {
            id: expect.any(Number),
            product_id: 1,
            name: 'Desk lamp',
            qty: 2,
            unit_price: 19.99,
            thumbnail_url: `${PUBLIC_URL}/images/product-1.svg`,
          },
        ],
        created_at: '2026-09-01T12:00:00.000Z',
        updated_at: '2026-09-01T12:00:00.000Z',
      });
      expect(response.headers.get('location')).toBe(`/v1/orders/${response.body.id}`);
      expect(response.headers.get('etag')).toBe('"v1"');
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect((await app.events()).slice(before.length)).toEqual([
        {
          id: expect.any(Number),
          org: 'acme',
          type: 'order.created',
          actorId: 1,
          subjectType: 'order',
          subjectId: response.body.id,
          data: { user_id: 1, status: 'pending', total: 39.98, currency: 'USD' },
        },
      ]);
    });

    test('reading it returns the same as creating it', async () => {
      const placed = await app.post<Order>(ORDERS, { as: 'ada', body: { items: TWO_LAMPS } });
      const read = await app.get(placed.headers.get('location') ?? '', { as: 'ada' });
      expect(read.text).toBe(placed.text);
    });

    test('items keep their order, and a product may appear twice', async () => {
      const items = [9, 2, 9, 1].map((product_id, index) => ({ product_id, qty: index + 1 }));
      const { body } = await app.post<Order>(ORDERS, { as: 'ada', body: { items } });
      expect(body.items.map(({ product_id, qty }) => ({ product_id, qty }))).toEqual(items);
      // 6.95 + 2 × 12.50 + 3 × 6.95 + 4 × 19.99
      expect(body.total).toBe(132.76);
    });

    test('an editor orders for a colleague, and the event names the editor', async () => {
      const { status, body } = await app.post<Order>('/v1/users/3/orders', {
        as: 'ed',
        body: { items: TWO_LAMPS },
      });
      expect(status).toBe(201);
      expect(body.user_id).toBe(3);
      const event = (await app.events()).at(-1);
      expect(event).toMatchObject({
        type: 'order.created',
        actorId: 2,
        subjectId: body.id,
        data: { user_id: 3 },
      });
    });

    test('an order may have 100 items', async () => {
      const items = Array.from({ length: 100 }, () => ({ product_id: 10, qty: 1 }));
      const { status, body } = await app.post<Order>(ORDERS, { as: 'ada', body: { items } });
      expect(status).toBe(201);
      expect(body.items).toHaveLength(100);
      expect(body.total).toBe(5);
    });

    test('a body may have exactly 256 KiB', async () => {
      const text = JSON.stringify({ items: TWO_LAMPS }).padEnd(DEFAULTS.http.bodyLimit, ' ');
      expect(text).toHaveLength(262_144);
      expect((await app.post(ORDERS, { as: 'ada', text })).status).toBe(201);
    });

    test('GraphQL places the same order, with the same event', async () => {
      const input = { userId: 1, items: [{ productId: 1, qty: 2 }] };
      const response = await app.graphql<{ createOrder: { id: string } }>(
        CREATE_ORDER,
        { input },
        { as: 'ada' },
      );

      expect(response.body).toEqual({
        data: {
          createOrder: {
            id: expect.stringMatching(/^\d+$/),
            status: 'pending',
            total: 39.98,
            currency: 'USD',
            items: [
              {
                productId: '1',
                name: 'Desk lamp',
                qty: 2,
                unitPrice: 19.99,
                thumbnailUrl: `${PUBLIC_URL}/images/product-1.svg`,
              },
            ],
          },
        },
      });
      const id = Number(response.body.data?.createOrder.id);
      expect((await app.events()).at(-1)).toMatchObject({ type: 'order.created', subjectId: id, actorId: 1 });
    });
  });

  describe('refused for the user', () => {
    const body = { items: TWO_LAMPS };

    test('returns 401 without credentials, even if the body is invalid', async () => {
      expectError(await app.post(ORDERS, { body: { items: [] } }), { status: 401, code: 'unauthenticated' });
    });

    test('an unknown user: 404 not_found', async () => {
      const response = await writesNothing(app, () =>
        app.post('/v1/users/999999/orders', { as: 'ada', body }),
      );
      expectError(response, { status: 404, code: 'not_found', paths: ['user_id'] });
    });

    test('an unknown user: not_found in GraphQL', async () => {
      const input = { userId: 999_999, items: inCamelCase(TWO_LAMPS) };
      const response = await writesNothing(app, () => app.graphql(CREATE_ORDER, { input }, { as: 'ada' }));
      expect(codesOf(response)).toEqual(['not_found']);
      expect(response.body.data).toBeNull();
    });

    test('a user id that is not a number: 400 at user_id', async () => {
      const response = await writesNothing(app, () => app.post('/v1/users/abc/orders', { as: 'ada', body }));
      expectError(response, { status: 400, code: 'invalid_parameter', paths: ['user_id'] });
    });
  });
});
