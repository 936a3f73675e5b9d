/** Changing orders: status transitions, replacing items, requests without a change, and refusals. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { eventTypesOf, orderForEachTest, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';

const MINUTE = 60_000;

describeEachEngine('changing an order', (engine) => {
  const app = startApp(engine);
  const order = orderForEachTest(app);

  describe('its status', () => {
    for (const status of ['cancelled', 'shipped'] as const) {
      test(`changes from pending to ${status} once, with an event`, async () => {
        app.clock.advance(MINUTE);
        const response = await order.patch({ status });

        expect(response.status).toBe(200);
        expect(response.body).toEqual({ ...order.placed, status, updated_at: app.clock().toISOString() });
        expect(response.headers.get('etag')).toBe('"v2"');
        expect((await app.events()).at(-1)).toMatchObject({
          type: `order.${status}`,
          actorId: 1,
          subjectId: order.placed.id,
          data: { user_id: 1, status, total: 39.98, currency: 'USD' },
        });
        expect((await app.get(order.path, { as: 'ada' })).text).toBe(response.text);
      });

      for (const next of ['cancelled', 'shipped', 'pending']) {
        test(`returns 409 for a change from ${status} to ${next}`, async () => {
          await order.patch({ status });
          const response = await writesNothing(app, () => order.patch({ status: next }));
          expectError(response, { status: 409, code: 'invalid_transition' });
        });
      }
    }

    test('returns 409 for a change from pending to pending', async () => {
      const response = await writesNothing(app, () => order.patch({ status: 'pending' }));
      expectError(response, { status: 409, code: 'invalid_transition' });
    });

    test('follows the same rules in GraphQL', async () => {
      const document =
        'mutation ($id: ID!) { updateOrder(id: $id, input: { status: shipped }) { status version } }';
      const first = await app.graphql(document, { id: order.placed.id }, { as: 'ed' });
      expect(first.body).toEqual({ data: { updateOrder: { status: 'shipped', version: 2 } } });

      const second = await writesNothing(app, () =>
        app.graphql(document, { id: order.placed.id }, { as: 'ed' }),
      );
      expect(codesOf(second)).toEqual(['invalid_transition']);
      expect(await eventTypesOf(app, order.placed.id)).toEqual(['order.created', 'order.shipped']);
    });
  });

  describe('its items', () => {
    test('are all replaced by PUT, at current prices, with an event', async () => {
      const response = await order.put([
        { product_id: 10, qty: 3 },
        { product_id: 2, qty: 1 },
      ]);
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe('"v2"');
      expect(response.body).toMatchObject({
        status: 'pending',
        total: 12.65,
        currency: 'USD',
        created_at: order.placed.created_at,
      });
      expect(response.body.items.map((item) => [item.product_id, item.qty])).toEqual([
        [10, 3],
        [2, 1],
      ]);
      expect((await app.get(order.path, { as: 'ada' })).text).toBe(response.text);
      expect(await eventTypesOf(app, order.placed.id)).toEqual(['order.created', 'order.updated']);
      expect((await app.events()).at(-1)?.data).toEqual({
        user_id: 1,
        status: 'pending',
        total: 12.65,
        currency: 'USD',
      });
    });

    const CHANGED = [
      { state: 'repriced', change: { unit_price: 7 } },
      { state: 'sold in another currency', change: { unit_price: 7, currency: 'JPY' } },
      { state: 'archived', change: { archived: true } },
    ];

    /** Replaces the items by a product that then changes. Returns the items, and the order before the change. */
    async function replaceBeforeChange(change: object) {
      const product = await app.post<{ id: number }>('/v1/products', {
        as: 'ada',
        body: { name: 'Stool', unit_price: 5, currency: 'USD' },
      });
      const items = [{ product_id: product.body.id, qty: 2 }];
      const replaced = await order.put(items);
      expect(replaced.status).toBe(200);
      const changed = await app.patch(`/v1/products/${product.body.id}`, { as: 'ada', body: change });
      expect(changed.status).toBe(200);
      return { items, replaced };
    }

    test.each(CHANGED)(
      'replaced by PUT once more change nothing, if their product is $state',
      async ({ change }) => {
        const { items, replaced } = await replaceBeforeChange(change);
        const repeated = await writesNothing(app, () => order.put(items));
        expect([repeated.status, repeated.text]).toEqual([200, replaced.text]);
      },
    );

    test.each(CHANGED)(
      'sent again with a status keep their prices, if their product is $state',
      async ({ change }) => {
        const { items, replaced } = await replaceBeforeChange(change);
        const shipped = await order.patch({ items, status: 'shipped' });
        expect([shipped.status, shipped.body]).toEqual([200, { ...replaced.body, status: 'shipped' }]);
        expect(await eventTypesOf(app, order.placed.id)).toEqual([
          'order.created',
          'order.updated',
          'order.shipped',
        ]);
      },
    );

    test('may have another currency than before', async () => {
      const { body } = await order.put([{ product_id: 12, qty: 1 }]);
      expect(body).toMatchObject({ total: 12.375, currency: 'BHD' });
    });

    test('change together with the status', async () => {
      const response = await order.patch({ items: [{ product_id: 11, qty: 2 }], status: 'shipped' });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({
        status: 'shipped',
        total: 960,
        currency: 'JPY',
        items: [{ product_id: 11, qty: 2 }],
      });
      expect(await eventTypesOf(app, order.placed.id)).toEqual([
        'order.created',
        'order.updated',
        'order.shipped',
      ]);
      expect((await app.get(order.path, { as: 'ada' })).text).toBe(response.text);
    });

    test('stay unchanged with an invalid status: 409', async () => {
      const response = await writesNothing(app, () =>
        order.patch({ items: [{ product_id: 11, qty: 2 }], status: 'pending' }),
      );
      expectError(response, { status: 409, code: 'invalid_transition' });
      expect((await app.get<Order>(order.path, { as: 'ada' })).body).toEqual(order.placed);
    });

    for (const status of ['cancelled', 'shipped']) {
      test(`of a ${status} order stay unchanged: 409`, async () => {
        await order.patch({ status });
        const response = await writesNothing(app, () => order.put(TWO_LAMPS));
        expectError(response, { status: 409, code: 'invalid_transition' });
      });
    }

    for (const { given, items, code = 'validation_failed', at } of [
      { given: 'none', items: [], code: 'empty_order', at: 'items' },
      {
        given: 'a product of another organisation',
        items: [{ product_id: 13, qty: 1 }],
        at: 'items.0.product_id',
      },
    ]) {
      for (const method of ['PUT', 'PATCH']) {
        test(`${method} with ${given} returns 422 ${code}`, async () => {
          const response = await writesNothing(app, () =>
            app.request(method, order.path, { as: 'ada', body: { items } }),
          );
          expectError(response, { status: 422, code, paths: [at] });
        });
      }
    }
  });

  describe('a request without a change', () => {
    for (const given of ['{}', undefined]) {
      test(`PATCH with ${given ?? 'no body'} changes nothing`, async () => {
        const response = await writesNothing(app, () =>
          app.patch<Order>(order.path, { as: 'ada', ...(given !== undefined && { text: given }) }),
        );
        expect(response.status).toBe(200);
        expect(response.body).toEqual(order.placed);
        expect(response.headers.get('etag')).toBe('"v1"');
      });
    }

    test('PATCH with {} on a settled order changes nothing, and succeeds', async () => {
      await order.patch({ status: 'shipped' });
      expect((await writesNothing(app, () => order.patch({}))).status).toBe(200);
    });
  });

  describe('refusals by caller, organisation or missing order', () => {
    const requests = [
      { method: 'PUT', body: { items: [{ product_id: 1, qty: 1 }] } },
      { method: 'PATCH', body: { status: 'shipped' } },
      { method: 'PATCH', body: {} },
      { method: 'DELETE' },
    ];
    for (const { method, body } of requests) {
      const name = `${method}${body ? ` ${JSON.stringify(body)}` : ''}`;
      const sent = body ? { body } : {};

      test(`${name} returns 404 for an unknown order`, async () => {
        const response = await writesNothing(app, () =>
          app.request(method, '/v1/orders/999999', { as: 'ada', ...sent }),
        );
        expectError(response, { status: 404, code: 'not_found' });
      });
    }

    test('an administrator of another organisation cannot distinguish a deleted order from an existing one', async () => {
      const present = await app.delete(order.path, { as: 'gil' });
      await app.delete(order.path, { as: 'ada' });
      const deleted = await app.delete(order.path, { as: 'gil' });
      expectError(present, { status: 403, code: 'forbidden' });
      expect(deleted.text).toBe(present.text);
    });
  });
});
