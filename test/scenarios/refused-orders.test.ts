/** Invalid orders, by their items or their body: each is refused, and writes nothing. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { CREATE_ORDER, inCamelCase, TWO_LAMPS } from '../support/fixtures/orders.ts';
import { exchange } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';

const ORDERS = '/v1/users/1/orders';

/** Input that the GraphQL type system refuses has another code and path there. */
const REFUSED_BY_TYPE = 'invalid_variables';

interface Refusal {
  readonly given: string;
  readonly items: unknown;
  readonly code?: string;
  readonly path: string;
  readonly inGraph?: string;
}

/** Invalid items. Each returns 422 with one detail at `path`. */
const REFUSALS: readonly Refusal[] = [
  { given: 'no items', items: [], code: 'empty_order', path: 'items' },
  {
    given: 'an unknown product',
    items: [{ product_id: 999_999, qty: 1 }],
    path: 'items.0.product_id',
  },
  {
    given: 'a product of another organisation',
    items: [{ product_id: 13, qty: 1 }],
    path: 'items.0.product_id',
  },
  {
    given: 'an unknown second product',
    items: [...TWO_LAMPS, { product_id: 999_999, qty: 1 }],
    path: 'items.1.product_id',
  },
  {
    given: 'two currencies',
    items: [...TWO_LAMPS, { product_id: 11, qty: 1 }],
    path: 'items.1.product_id',
  },
  {
    given: 'an unknown member',
    items: [{ product_id: 1, qty: 1, price: 0.01 }],
    path: 'items.0.price',
    inGraph: REFUSED_BY_TYPE,
  },
];

describeEachEngine('placing orders', (engine) => {
  const app = startApp(engine);

  describe('is refused for its items', () => {
    for (const { given, items, code = 'validation_failed', path, inGraph = code } of REFUSALS) {
      test(`${given}: 422 ${code} at ${path}`, async () => {
        const response = await writesNothing(app, () => app.post(ORDERS, { as: 'ada', body: { items } }));
        expectError(response, { status: 422, code, paths: [path] });
      });

      test(`${given}: ${inGraph} in the graph`, async () => {
        const input = { userId: 1, items: inCamelCase(items) };
        const response = await writesNothing(app, () => app.graphql(CREATE_ORDER, { input }, { as: 'ada' }));
        expect(codesOf(response)).toEqual([inGraph]);
        expect(response.body.data ?? null).toBeNull();
        if (inGraph === REFUSED_BY_TYPE) return;
        const details = response.body.errors?.[0]?.extensions.details ?? [];
        expect(details.map((detail) => detail.path)).toEqual([
          `input.${path.replace('product_id', 'productId')}`,
        ]);
      });
    }

    test('all faults are reported together', async () => {
      const items = [{ product_id: 'x', qty: 1 }, { product_id: 1, qty: '2', colour: 'red' }, { qty: 3 }];
      const response = await writesNothing(app, () =>
        app.post(ORDERS, { as: 'ada', body: { items, note: '' } }),
      );
      expectError(response, {
        status: 422,
        code: 'validation_failed',
        paths: ['items.0.product_id', 'items.1.qty', 'items.1.colour', 'items.2.product_id', 'note'],
      });
    });
  });

  describe('is refused for its body', () => {
    for (const { given, text, headers, status, code, paths } of [
      { given: 'no body', text: undefined, status: 422, code: 'validation_failed', paths: ['items'] },
      {
        given: 'an unknown member',
        text: JSON.stringify({ items: TWO_LAMPS, total: 0.01 }),
        status: 422,
        code: 'validation_failed',
        paths: ['total'],
      },
      {
        given: 'an unknown member without a name',
        text: JSON.stringify({ items: TWO_LAMPS, '': 1 }),
        status: 422,
        code: 'validation_failed',
        paths: ['""'],
      },
      {
        given: 'an unknown member without a name',
        text: JSON.stringify({ items: TWO_LAMPS, '': 1 }),
        status: 422,
        code: 'validation_failed',
        paths: ['""'],
      },
      { given: 'broken JSON', text: '{"items":', status: 400, code: 'invalid_json' },
      {
        given: 'a member __proto__',
        text: `{"items":${JSON.stringify(TWO_LAMPS)},"__proto__":{"polluted":true}}`,
        status: 400,
        code: 'invalid_json',
      },
      {
        given: 'a nested member __proto__',
        text: '{"items":[{"product_id":1,"qty":1,"__proto__":{"polluted":true}}]}',
        status: 400,
        code: 'invalid_json',
      },
      {
        given: 'a nested constructor.prototype',
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
        given: 'JSON with the content type of text',
        text: JSON.stringify({ items: TWO_LAMPS }),
        headers: { 'content-type': 'text/plain' },
        status: 415,
        code: 'unsupported_media_type',
      },
    ]) {
      test(`${given}: ${status} ${code}`, async () => {
        const sent = { ...(text !== undefined && { text }), ...(headers && { headers }) };
        const response = await writesNothing(app, () => app.post(ORDERS, { as: 'ada', ...sent }));
        expectError(response, { status, code, paths });
        expect(Object.keys(Object.prototype)).not.toContain('polluted');
      });
    }

    test('a declared body of more than 256 KiB returns 413 before it is sent', async () => {
      const { token } = await app.signIn('ada');
      const lines = [
        `POST ${ORDERS} HTTP/1.1`,
        'Host: portico.test',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${DEFAULTS.http.bodyLimit + 1}`,
        'Connection: close',
      ];
      const response = await exchange(app.port, lines);
      expect(response.status).toBe(413);
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'body_too_large' } });
    });

    test('a chunked body of more than 256 KiB returns 413', async () => {
      const { token } = await app.signIn('ada');
      const size = DEFAULTS.http.bodyLimit + 1;
      const lines = [
        `POST ${ORDERS} HTTP/1.1`,
        'Host: portico.test',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ];
      const chunk = JSON.stringify({ items: TWO_LAMPS }).padEnd(size, ' ');
      const response = await writesNothing(app, () =>
        exchange(app.port, lines, `${size.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`),
      );
      expect(response.status).toBe(413);
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'body_too_large' } });
    });
  });
});
