/** Reading one order: its members, HEAD and refusals. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import type { Order } from '../support/response-bodies.ts';

describeEachEngine('reading an order', (engine) => {
  const app = startApp(engine);

  test('returns it with all its members, as private, with its version as ETag', async () => {
    const response = await app.get('/v1/orders/7', { as: 'vic' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: 7,
      user_id: 1,
      status: 'shipped',
      total: 1440,
      currency: 'JPY',
      items: [
        {
          id: expect.any(Number),
          product_id: 11,
          name: 'Washi tape',
          qty: 3,
          unit_price: 480,
          thumbnail_url: 'https://portico.test/images/product-11.svg',
        },
      ],
      created_at: '2026-01-20T01:59:00.000Z',
      updated_at: '2026-01-20T21:59:00.000Z',
    });
    expect(response.headers.get('etag')).toBe('"v2"');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding');
  });

  test('returns the same values in GraphQL, with ids as strings', async () => {
    const rest = await app.get<Order>('/v1/orders/3', { as: 'ada' });
    const graph = await app.graphql<{ order: Record<string, unknown> }>(
      `{ order(id: 3) {
        id user_id: userId status total currency
        items { id product_id: productId name qty unit_price: unitPrice thumbnail_url: thumbnailUrl }
        created_at: createdAt updated_at: updatedAt
      } }`,
      {},
      { as: 'ada' },
    );
    const withTexts = {
      ...rest.body,
      id: String(rest.body.id),
      user_id: String(rest.body.user_id),
      items: rest.body.items.map((item) => ({
        ...item,
        id: String(item.id),
        product_id: String(item.product_id),
      })),
    };
    expect(graph.body.data?.order).toEqual(withTexts);
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const get = await app.get('/v1/orders/7', { as: 'ada' });
    const head = await app.head('/v1/orders/7', { as: 'ada' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  describe('refusals', () => {
    for (const { given, path, status, code, paths } of [
      { given: 'an unknown order', path: '999999', status: 404, code: 'not_found' },
      { given: 'a negative id', path: '-7', status: 400, code: 'invalid_parameter', paths: ['order_id'] },
      { given: 'SQL', path: "7'%20or%201=1--", status: 400, code: 'invalid_parameter', paths: ['order_id'] },
    ]) {
      test(`${given}: ${status} ${code}`, async () => {
        expectError(await app.get(`/v1/orders/${path}`, { as: 'ada' }), { status, code, paths });
      });
    }

    test('without credentials an existing order cannot be distinguished from a missing one', async () => {
      const texts = await Promise.all(
        ['7', '61', '999999', 'abc'].map(async (id) => (await app.get(`/v1/orders/${id}`)).text),
      );
      expect(new Set(texts).size).toBe(1);
      expect(app.statements).toEqual([]);
    });

    test('a refusal is private like the order', async () => {
      const response = await app.get('/v1/orders/999999', { as: 'ada' });
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding');
      expect(response.headers.get('etag')).toBeNull();
    });
  });
});
