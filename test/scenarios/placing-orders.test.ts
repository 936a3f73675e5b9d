/** Placing orders through both doors: what is accepted, what is refused and how, and that what is refused leaves no trace. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { codesOf, type Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { TWO_LAMPS } from '../support/orders.ts';
import { exchange } from '../support/raw.ts';
import type { Order } from '../support/shapes.ts';

const ORDERS = '/v1/users/1/orders';
const MUTATION = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) { id status total currency items { productId name qty unitPrice thumbnailUrl } }
}`;

/** What the type system refuses before a resolver runs has another name in the graph, and another path. */
const REFUSED_BY_TYPE = 'invalid_variables';

interface Refusal {
  readonly given: string;
  readonly items: unknown;
  readonly code?: string;
  readonly path: string;
  readonly inGraph?: string;
}

/** Items that cannot be ordered. Each is 422, and its one detail points at `path`. */
const REFUSALS: readonly Refusal[] = [
  { given: 'no items', items: [], code: 'empty_order', path: 'items' },
  { given: 'a qty of 0', items: [{ product_id: 1, qty: 0 }], path: 'items.0.qty' },
  { given: 'a qty of -1', items: [{ product_id: 1, qty: -1 }], path: 'items.0.qty' },
  { given: 'a qty above the bound', items: [{ product_id: 1, qty: 10_001 }], path: 'items.0.qty' },
  {
    given: 'a qty of 1.5',
    items: [{ product_id: 1, qty: 1.5 }],
    path: 'items.0.qty',
    inGraph: REFUSED_BY_TYPE,
  },
  {
    given: 'a qty of 2^31',
    items: [{ product_id: 1, qty: 2 ** 31 }],
    path: 'items.0.qty',
    inGraph: REFUSED_BY_TYPE,
  },
  {
    given: 'a qty that is text',
    items: [{ product_id: 1, qty: '2' }],
    path: 'items.0.qty',
    inGraph: REFUSED_BY_TYPE,
  },
  {
    given: 'a qty of null',
    items: [{ product_id: 1, qty: null }],
    path: 'items.0.qty',
    inGraph: REFUSED_BY_TYPE,
  },
  {
    given: 'a qty of true',
    items: [{ product_id: 1, qty: true }],
    path: 'items.0.qty',
    inGraph: REFUSED_BY_TYPE,
  },
  { given: 'no qty', items: [{ product_id: 1 }], path: 'items.0.qty', inGraph: REFUSED_BY_TYPE },
  { given: 'no product', items: [{ qty: 1 }], path: 'items.0.product_id', inGraph: REFUSED_BY_TYPE },
  {
    given: 'a product that is not there',
    items: [{ product_id: 999_999, qty: 1 }],
    path: 'items.0.product_id',
  },
  {
    given: 'a product of another organisation',
    items: [{ product_id: 13, qty: 1 }],
    path: 'items.0.product_id',
  },
  {
    given: 'a second product that is not there',
    items: [...TWO_LAMPS, { product_id: 999_999, qty: 1 }],
    path: 'items.1.product_id',
  },
  {
    given: 'two currencies',
    items: [...TWO_LAMPS, { product_id: 11, qty: 1 }],
    path: 'items.1.product_id',
  },
  { given: '101 items', items: Array.from({ length: 101 }, () => TWO_LAMPS[0]), path: 'items' },
  {
    given: 'a member that is not known',
    items: [{ product_id: 1, qty: 1, price: 0.01 }],
    path: 'items.0.price',
    inGraph: REFUSED_BY_TYPE,
  },
  { given: 'a null among the items', items: [null], path: 'items.0', inGraph: REFUSED_BY_TYPE },
  { given: 'items of null', items: null, path: 'items', inGraph: REFUSED_BY_TYPE },
];

describeEachEngine('placing orders', (engine) => {
  const app = startApp(engine);

  describe('accepted', () => {
    test('an order starts as pending, at the prices of today, and its event is written', async () => {
      const before = await app.events();
      const answer = await app.post<Order>(ORDERS, { as: 'ada', body: { items: TWO_LAMPS } });

      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
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
      expect(answer.headers.get('location')).toBe(`/v1/orders/${answer.body.id}`);
      expect(answer.headers.get('etag')).toBe('"v1"');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect((await app.events()).slice(before.length)).toEqual([
        {
          id: expect.any(Number),
          org: 'acme',
          type: 'order.created',
          actorId: 1,
          subjectType: 'order',
          subjectId: answer.body.id,
          data: { user_id: 1, status: 'pending', total: 39.98, currency: 'USD' },
        },
      ]);
    });

    test('what was answered is what is read afterwards', async () => {
      const placed = await app.post<Order>(ORDERS, { as: 'ada', body: { items: TWO_LAMPS } });
      const read = await app.get(placed.headers.get('location') ?? '', { as: 'ada' });
      expect(read.text).toBe(placed.text);
    });

    test('items keep their order, and a product may come twice', async () => {
      const items = [9, 2, 9, 1].map((product_id, index) => ({ product_id, qty: index + 1 }));
      const { body } = await app.post<Order>(ORDERS, { as: 'ada', body: { items } });
      expect(body.items.map(({ product_id, qty }) => ({ product_id, qty }))).toEqual(items);
      // 6.95 + 2 × 12.50 + 3 × 6.95 + 4 × 19.99
      expect(body.total).toBe(132.76);
    });

    test('an editor orders for a colleague, and the event names who did it', async () => {
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

    test('100 items fit', async () => {
      const items = Array.from({ length: 100 }, () => ({ product_id: 10, qty: 1 }));
      const { status, body } = await app.post<Order>(ORDERS, { as: 'ada', body: { items } });
      expect(status).toBe(201);
      expect(body.items).toHaveLength(100);
      expect(body.total).toBe(5);
    });

    test('a body of exactly 256 KiB fits', async () => {
      const text = JSON.stringify({ items: TWO_LAMPS }).padEnd(LIMITS.bodyBytes, ' ');
      expect(text).toHaveLength(262_144);
      expect((await app.post(ORDERS, { as: 'ada', text })).status).toBe(201);
    });

    test('the graph places the same order, with the same event', async () => {
      const input = { userId: 1, items: [{ productId: 1, qty: 2 }] };
      const answer = await app.graphql<{ createOrder: { id: string } }>(MUTATION, { input }, { as: 'ada' });

      expect(answer.body).toEqual({
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
      const id = Number(answer.body.data?.createOrder.id);
      expect((await app.events()).at(-1)).toMatchObject({ type: 'order.created', subjectId: id, actorId: 1 });
    });
  });

  describe('refused for its items', () => {
    for (const { given, items, code = 'validation_failed', path, inGraph = code } of REFUSALS) {
      test(`${given}: 422 ${code} at ${path}`, async () => {
        const answer = await writesNothing(app, () => app.post(ORDERS, { as: 'ada', body: { items } }));
        expectError(answer, { status: 422, code, paths: [path] });
      });

      test(`${given}: ${inGraph} in the graph`, async () => {
        const input = { userId: 1, items: camelCased(items) };
        const answer = await writesNothing(app, () => app.graphql(MUTATION, { input }, { as: 'ada' }));
        expect(codesOf(answer)).toEqual([inGraph]);
        expect(answer.body.data ?? null).toBeNull();
        if (inGraph === REFUSED_BY_TYPE) return;
        const details = answer.body.errors?.[0]?.extensions.details ?? [];
        expect(details.map((detail) => detail.path)).toEqual([
          `input.${path.replace('product_id', 'productId')}`,
        ]);
      });
    }

    test('everything that is wrong is named at once', async () => {
      const items = [{ product_id: 'x', qty: 1 }, { product_id: 1, qty: '2', colour: 'red' }, { qty: 3 }];
      const answer = await writesNothing(app, () =>
        app.post(ORDERS, { as: 'ada', body: { items, note: '' } }),
      );
      expectError(answer, {
        status: 422,
        code: 'validation_failed',
        paths: ['items.0.product_id', 'items.1.qty', 'items.1.colour', 'items.2.product_id', 'note'],
      });
    });
  });

  describe('refused for its body', () => {
    for (const { given, text, headers, status, code, paths } of [
      { given: 'no member items', text: '{}', status: 422, code: 'validation_failed', paths: ['items'] },
      { given: 'no body', text: undefined, status: 422, code: 'validation_failed', paths: ['items'] },
      {
        given: 'a member that is not known',
        text: JSON.stringify({ items: TWO_LAMPS, total: 0.01 }),
        status: 422,
        code: 'validation_failed',
        paths: ['total'],
      },
      { given: 'a list', text: '[]', status: 422, code: 'validation_failed', paths: [''] },
      { given: 'a text', text: '"items"', status: 422, code: 'validation_failed', paths: [''] },
      { given: 'null', text: 'null', status: 422, code: 'validation_failed', paths: [''] },
      { given: 'broken JSON', text: '{"items":', status: 400, code: 'invalid_json' },
      {
        given: 'a member __proto__',
        text: `{"items":${JSON.stringify(TWO_LAMPS)},"__proto__":{"polluted":true}}`,
        status: 400,
        code: 'invalid_json',
      },
      {
        given: 'a member __proto__ further in',
        text: '{"items":[{"product_id":1,"qty":1,"__proto__":{"polluted":true}}]}',
        status: 400,
        code: 'invalid_json',
      },
      {
        given: 'a member constructor that reaches for a prototype',
        text: `{"items":${JSON.stringify(TWO_LAMPS)},"constructor":{"prototype":{"polluted":true}}}`,
        status: 400,
        code: 'invalid_json',
      },
      {
        given: 'a form',
        text: 'items=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        given: 'JSON that says it is text',
        text: JSON.stringify({ items: TWO_LAMPS }),
        headers: { 'content-type': 'text/plain' },
        status: 415,
        code: 'unsupported_media_type',
      },
    ]) {
      test(`${given}: ${status} ${code}`, async () => {
        const sent = { ...(text !== undefined && { text }), ...(headers && { headers }) };
        const answer = await writesNothing(app, () => app.post(ORDERS, { as: 'ada', ...sent }));
        expectError(answer, { status, code, paths });
        expect(Object.keys(Object.prototype)).not.toContain('polluted');
      });
    }

    test('a body that says it has more than 256 KiB: 413 before it is sent', async () => {
      const { token } = await app.signIn('ada');
      const lines = [
        `POST ${ORDERS} HTTP/1.1`,
        'Host: portico.test',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${LIMITS.bodyBytes + 1}`,
        'Connection: close',
      ];
      const answer = await exchange(app.port, lines);
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'body_too_large' } });
    });

    test('a body in chunks that becomes more than 256 KiB: 413', async () => {
      const { token } = await app.signIn('ada');
      const size = LIMITS.bodyBytes + 1;
      const lines = [
        `POST ${ORDERS} HTTP/1.1`,
        'Host: portico.test',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ];
      const chunk = JSON.stringify({ items: TWO_LAMPS }).padEnd(size, ' ');
      const answer = await writesNothing(app, () =>
        exchange(app.port, lines, `${size.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`),
      );
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'body_too_large' } });
    });
  });

  describe('refused for its caller or its owner', () => {
    const body = { items: TWO_LAMPS };
    const theirs = { items: [{ product_id: 13, qty: 1 }] };

    test('no credentials: 401, and how to get in', async () => {
      const answer = await writesNothing(app, () => app.post(ORDERS, { body }));
      expectError(answer, { status: 401, code: 'unauthenticated' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="portico", ApiKey realm="portico"');
    });

    test('no credentials and nothing right in the body: still 401', async () => {
      expectError(await app.post(ORDERS, { body: { items: [] } }), { status: 401, code: 'unauthenticated' });
    });

    for (const { given, as, path, sent, status, code, userId } of [
      {
        given: 'a viewer',
        as: 'vic',
        path: ORDERS,
        sent: body,
        userId: 1,
        status: 403,
        code: 'insufficient_scope',
      },
      {
        given: 'an admin of another organisation',
        as: 'gil',
        path: ORDERS,
        sent: theirs,
        userId: 1,
        status: 403,
        code: 'forbidden',
      },
      {
        given: 'a person of another organisation',
        as: 'ada',
        path: '/v1/users/4/orders',
        sent: body,
        userId: 4,
        status: 403,
        code: 'forbidden',
      },
      {
        given: 'a person who is not there',
        as: 'ada',
        path: '/v1/users/999999/orders',
        sent: body,
        userId: 999_999,
        status: 404,
        code: 'not_found',
      },
    ] satisfies readonly { as: Person; [other: string]: unknown }[]) {
      test(`${given}: ${status} ${code}`, async () => {
        const answer = await writesNothing(app, () => app.post(path, { as, body: sent }));
        expectError(answer, { status, code });
      });

      test(`${given}: ${code} in the graph`, async () => {
        const input = { userId, items: camelCased(sent.items) };
        const answer = await writesNothing(app, () => app.graphql(MUTATION, { input }, { as }));
        expect(codesOf(answer)).toEqual([code]);
        expect(answer.body.data).toBeNull();
      });
    }

    test('a token narrowed to reading: 403 insufficient_scope', async () => {
      const reader = await app.signIn('ada', ['read:orders', 'read:users']);
      const answer = await writesNothing(app, () => app.post(ORDERS, { as: reader, body }));
      expectError(answer, { status: 403, code: 'insufficient_scope' });
    });

    test('a person whose id is no number: 400 at user_id', async () => {
      const answer = await writesNothing(app, () => app.post('/v1/users/abc/orders', { as: 'ada', body }));
      expectError(answer, { status: 400, code: 'invalid_parameter', paths: ['user_id'] });
    });

    test('a parameter in the address: 400 at its name', async () => {
      const answer = await writesNothing(app, () => app.post(`${ORDERS}?dry_run=1`, { as: 'ada', body }));
      expectError(answer, { status: 400, code: 'unknown_parameter', paths: ['dry_run'] });
    });
  });
});

/** The items as the graph spells them. */
function camelCased(items: unknown): unknown {
  return JSON.parse(JSON.stringify(items).replaceAll('"product_id"', '"productId"'));
}
