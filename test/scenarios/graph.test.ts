/** GraphQL queries: the client selects fields and their nesting, and gets exactly those in one round trip. */
import { describe, expect, test } from 'vitest';
import { events } from '../../src/cli/demo/data.ts';
import { PUBLIC_URL, startApp, type TestApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { challenge } from '../support/expectations.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { exchange } from '../support/raw-clients.ts';

interface OfUser {
  readonly user: { readonly orders: readonly { readonly id: string }[] } | null;
}

const QUERY = `{
  user(id: 1) {
    name
    avatarUrl
    unreadNotifications
    orders(last: 3) { id total items(first: 2) { thumbnailUrl } }
  }
}`;

describeEachEngine('GraphQL queries', (engine) => {
  const app = startApp(engine);

  test('accepts a query in a URL with all its parameters', async () => {
    const parameters = new URLSearchParams({
      query: 'query One($id: ID!) { order(id: $id) { id } } query Other { me { id } }',
      operationName: 'One',
      variables: JSON.stringify({ id: 7 }),
      extensions: JSON.stringify({}),
    });
    const { status, body } = await app.get(`/graphql?${parameters}`, { as: 'ada' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { order: { id: '7' } } });
  });

  test('the query of the specification returns exactly the requested shape', async () => {
    const response = await app.graphql(QUERY, {}, { as: 'ada' });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.body.errors).toBeUndefined();
    const thumbnail = (id: number) => ({ thumbnailUrl: `${PUBLIC_URL}/images/product-${id}.svg` });
    expect(response.body.data).toEqual({
      user: {
        name: 'Ada Brandt',
        avatarUrl: `${PUBLIC_URL}/images/user-1.svg`,
        unreadNotifications: events.filter((event) => event.org === 'acme').length,
        orders: [
          { id: '55', total: 612.9, items: [thumbnail(6), thumbnail(9)] },
          { id: '57', total: 37.125, items: [thumbnail(12)] },
          { id: '59', total: 146.1, items: [thumbnail(10), thumbnail(3)] },
        ],
      },
    });
  });

  describe('orders of a user', () => {
    test('last returns the newest in order of creation, the oldest of them first', async () => {
      const placed = [await placeOrder(app), await placeOrder(app), await placeOrder(app)];
      // All three have the same timestamp, because the clock stands still: their ids decide.
      expect(new Set(placed.map((order) => order.created_at)).size).toBe(1);

      expect(await idsOf(app, '(last: 3)')).toEqual(placed.map((order) => String(order.id)));
    });

    test('first returns the oldest', async () => {
      expect(await idsOf(app, '(first: 4)')).toEqual(['1', '3', '5', '7']);
    });

    test('without either, returns the first 20', async () => {
      expect(await idsOf(app, '')).toEqual(Array.from({ length: 20 }, (_, n) => String(2 * n + 1)));
    });

    test('null is equivalent to an omitted argument', async () => {
      expect(await idsOf(app, '(first: null, last: 1)')).toHaveLength(1);
    });

    test('more than 100 returns 100', async () => {
      await Promise.all(Array.from({ length: 75 }, () => placeOrder(app)));
      for (const argument of ['first: 101', 'first: 2147483647', 'last: 101']) {
        expect(await idsOf(app, `(${argument})`), argument).toHaveLength(100);
      }
    });

    for (const { given, path } of [
      { given: 'first: 1, last: 1', path: 'last' },
      { given: 'first: 0', path: 'first' },
      { given: 'first: -1', path: 'first' },
      { given: 'last: 0', path: 'last' },
      { given: 'last: -1', path: 'last' },
    ]) {
      test(`${given} is refused`, async () => {
        const response = await app.graphql(`{ user(id: 1) { orders(${given}) { id } } }`, {}, { as: 'ada' });

        expect(codesOf(response)).toEqual(['validation_failed']);
        expect(response.body.errors?.[0]?.path).toEqual(['user', 'orders']);
        expect(response.body.errors?.[0]?.extensions.details?.map((detail) => detail.path)).toEqual([path]);
        expect(response.body.data).toEqual({ user: null });
      });
    }
  });

  describe('items of an order', () => {
    const order3 = (items: string) => `{ order(id: 3) { ${items} } }`;

    for (const { items, expected } of [
      { items: 'items { productId }', expected: ['4', '7', '10', '3'] },
      { items: 'items(first: 2) { productId }', expected: ['4', '7'] },
      { items: 'items(last: 2) { productId }', expected: ['10', '3'] },
      { items: 'items(first: 100) { productId }', expected: ['4', '7', '10', '3'] },
    ]) {
      test(`${items} keeps the order of the items`, async () => {
        const response = await app.graphql(order3(items), {}, { as: 'ada' });
        expect(response.body).toEqual({
          data: { order: { items: expected.map((productId) => ({ productId })) } },
        });
      });
    }

    for (const given of ['first: 1, last: 1', 'first: 0', 'last: -1']) {
      test(`${given} is refused`, async () => {
        const response = await app.graphql(order3(`items(${given}) { id }`), {}, { as: 'ada' });
        expect(codesOf(response)).toEqual(['validation_failed']);
      });
    }

    test('one list can be selected with two sizes under aliases', async () => {
      const document = order3('one: items(first: 1) { productId } all: items { productId }');
      const response = await app.graphql<{ order: Record<string, unknown[]> }>(document, {}, { as: 'ada' });
      expect(response.body.data?.order['one']).toHaveLength(1);
      expect(response.body.data?.order['all']).toHaveLength(4);
    });
  });

  describe('permissions', () => {
    for (const { field, given } of [
      { field: 'user', given: 'user(id: 4) { name }' },
      { field: 'order', given: 'order(id: 61) { id }' },
      { field: 'product', given: 'product(id: 13) { id }' },
    ]) {
      test(`a ${field} of another organisation is null, and forbidden`, async () => {
        const response = await app.graphql(`{ ${given} }`, {}, { as: 'ada' });
        expect(response.status).toBe(200);
        expect(response.body.data).toEqual({ [field]: null });
        expect(codesOf(response)).toEqual(['forbidden']);
      });

      test(`a missing ${field} is null, without an error`, async () => {
        for (const id of ['999999', 'abc', '-1', '9007199254740993']) {
          const response = await app.graphql(
            `{ ${given.replace(/id: \d+/, `id: "${id}"`)} }`,
            {},
            { as: 'ada' },
          );
          expect(response.body).toEqual({ data: { [field]: null } });
        }
      });
    }

    test('a refused field does not affect the rest of the response', async () => {
      const response = await app.graphql(
        '{ mine: user(id: 1) { name } theirs: user(id: 4) { name } }',
        {},
        { as: 'ada' },
      );
      expect(response.body.data).toEqual({ mine: { name: 'Ada Brandt' }, theirs: null });
      expect(response.body.errors?.map((error) => error.path)).toEqual([['theirs']]);
    });

    test('nested fields require their own scope', async () => {
      const reader = await app.signIn('ada', ['read:users']);

      const allowed = await app.graphql('{ user(id: 1) { name } }', {}, { as: reader });
      expect(allowed.body).toEqual({ data: { user: { name: 'Ada Brandt' } } });

      const refused = await app.graphql('{ user(id: 1) { name orders { id } } }', {}, { as: reader });
      expect(codesOf(refused)).toEqual(['insufficient_scope']);
      expect(refused.body.errors?.[0]?.path).toEqual(['user', 'orders']);
      expect(refused.text).not.toContain('"id"');
    });

    test('a token for orders cannot read users through them', async () => {
      const reader = await app.signIn('ada', ['read:orders']);
      const refused = await app.graphql('{ order(id: 3) { id user { email } } }', {}, { as: reader });
      expect(codesOf(refused)).toEqual(['insufficient_scope']);
      expect(refused.text).not.toContain('ada@acme.test');
    });

    test('without credentials the response is 401 and nothing runs', async () => {
      const response = await app.graphql('{ user(id: 1) { name } }');
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(challenge());
      expect(response.body).toEqual({
        errors: [{ message: expect.any(String), extensions: { code: 'unauthenticated' } }],
      });
      expect(app.statements).toEqual([]);
    });
  });

  describe('as HTTP', () => {
    test('a mutation sent with GET is 405 and is not executed', async () => {
      const order = await placeOrder(app);
      const query = encodeURIComponent(`mutation { deleteOrder(id: ${order.id}) }`);
      const response = await app.get<unknown>(`/graphql?query=${query}`, { as: 'ada' });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(response.body).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
      expect(response.body).not.toHaveProperty('data');
      expect((await app.get(`/v1/orders/${order.id}`, { as: 'ada' })).status).toBe(200);
    });

    test('a subscription sent with GET must accept a stream, as with POST', async () => {
      const query = encodeURIComponent('subscription { activity { id } }');
      const response = await app.get<unknown>(`/graphql?query=${query}`, { as: 'ada' });
      expect(response.status).toBe(406);
      expect(response.body).toMatchObject({ errors: [{ extensions: { code: 'stream_required' } }] });
    });

    for (const { given, status, code, send } of [
      { given: 'broken JSON', status: 400, code: 'invalid_json', send: { text: '{"query":' } },
      {
        given: 'a document that does not parse',
        status: 400,
        code: 'graphql_parse_failed',
        send: { body: { query: '{' } },
      },
      {
        given: 'an unknown field',
        status: 400,
        code: 'graphql_validation_failed',
        send: { body: { query: '{ nope }' } },
      },
      {
        given: 'an unknown operation name',
        status: 400,
        code: 'operation_not_found',
        send: { body: { query: 'query a { me { id } }', operationName: 'b' } },
      },
      {
        given: 'a form',
        status: 415,
        code: 'unsupported_media_type',
        send: { text: 'query={me{id}}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      },
      {
        given: 'a batch',
        status: 400,
        code: 'malformed_request',
        send: { body: [{ query: '{ me { id } }' }] },
      },
    ]) {
      test(`${given} is ${status} ${code}`, async () => {
        // Without an Accept header, or with the newer media type, the client gets the status; for the older
        // one, see the conformance suite.
        const headers = { accept: 'application/graphql-response+json', ...send.headers };
        const response = await app.post<{ errors: { extensions: { code: string } }[] }>('/graphql', {
          as: 'ada',
          ...send,
          headers,
        });
        expect(response.status, response.text).toBe(status);
        expect(response.body.errors.map((error) => error.extensions.code)).toEqual([code]);
        expect(response.body).not.toHaveProperty('data');
      });
    }

    for (const { given, site, mode, status } of [
      { given: 'a form of another site', site: 'cross-site', mode: 'navigate', status: 403 },
      { given: 'an image of another site', site: 'cross-site', mode: 'no-cors', status: 403 },
      { given: 'a form of a sibling site', site: 'same-site', mode: 'navigate', status: 403 },
      { given: 'a script with CORS', site: 'cross-site', mode: 'cors', status: 200 },
      { given: 'a page of this site', site: 'same-origin', mode: 'cors', status: 200 },
    ]) {
      test(`a request from ${given} returns ${status}`, async () => {
        const { token } = await app.signIn('ada');
        const body = JSON.stringify({ query: '{ me { id } }' });
        const lines = [
          'POST /graphql HTTP/1.1',
          'Host: portico.test',
          `Authorization: Bearer ${token}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          `Sec-Fetch-Site: ${site}`,
          `Sec-Fetch-Mode: ${mode}`,
          'Connection: close',
        ];
        const response = await exchange(app.port, lines, body);
        expect(response.status).toBe(status);
        expect(response.text.includes('"data"')).toBe(status === 200);
      });
    }
  });
});

async function idsOf(app: TestApp, given: string): Promise<string[] | undefined> {
  const response = await app.graphql<OfUser>(`{ user(id: 1) { orders${given} { id } } }`, {}, { as: 'ada' });
  expect(response.body.errors).toBeUndefined();
  return response.body.data?.user?.orders.map((order) => order.id);
}
