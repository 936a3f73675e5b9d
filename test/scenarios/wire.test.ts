/** Rules for every route: methods, former paths, versions and request ids. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { Order } from '../support/response-bodies.ts';

/** Each path, and its methods. */
const ROUTES = [
  { path: '/v1/auth/login', methods: ['POST'] },
  { path: '/v1/auth/refresh', methods: ['POST'] },
  { path: '/v1/auth/logout', methods: ['POST'] },
  { path: '/v1/users/1', methods: ['GET', 'PATCH'] },
  { path: '/v1/users/1/orders', methods: ['GET', 'POST'] },
  { path: '/v1/orders/7', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
  { path: '/v1/sessions', methods: ['GET'] },
  { path: '/v1/webhooks/1/deliveries', methods: ['GET'] },
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

describeEachEngine('on the wire', (engine) => {
  const app = startApp(engine);

  describe('methods', () => {
    for (const { path, methods } of ROUTES) {
      const own = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])];
      const allow = [...own, 'OPTIONS'].toSorted();
      const allowOf = (headers: Headers) => headers.get('allow')?.split(', ').toSorted();

      test(`OPTIONS ${path} names ${allow.join(', ')}`, async () => {
        const response = await app.options(path);
        expect(response.status).toBe(204);
        expect(allowOf(response.headers)).toEqual(allow);
      });

      for (const method of METHODS.filter((candidate) => !own.includes(candidate))) {
        test(`${method} ${path}: 405 with Allow`, async () => {
          const response = await writesNothing(app, () => app.request(method, path, { as: 'ada' }));
          expect(response.status).toBe(405);
          expect(allowOf(response.headers)).toEqual(allow);
          if (method !== 'HEAD') expectError(response, { status: 405, code: 'method_not_allowed' });
        });
      }
    }

    test('a method that is not allowed is refused before its body is read', async () => {
      const response = await app.post('/v1/orders/7', {
        text: '{"broken',
        headers: { 'content-type': 'text/plain' },
      });
      expectError(response, { status: 405, code: 'method_not_allowed' });
    });
  });

  describe('HEAD of /graphql', () => {
    const address = (query: string) => `/graphql?${new URLSearchParams({ query })}`;
    const factsOf = ({ status, headers }: { status: number; headers: Headers }) => ({
      status,
      headers: Object.fromEntries(
        ['content-type', 'content-length', 'cache-control', 'ratelimit-policy', 'allow'].map((name) => [
          name,
          headers.get(name),
        ]),
      ),
    });

    for (const [what, query, status] of [
      ['a query', '{ order(id: 7) { id status } }', 200],
      ['an invalid document', '{ nope }', 400],
      ['a mutation', 'mutation { deleteOrder(id: 7) }', 405],
    ] as const) {
      test(`${what}: as GET, without a body`, async () => {
        const [head, get] = await writesNothing(app, async () => [
          await app.request('HEAD', address(query), { as: 'ada' }),
          await app.get(address(query), { as: 'ada' }),
        ]);
        expect(head.status).toBe(status);
        expect(factsOf(head)).toEqual(factsOf(get));
        expect(head.text).toBe('');
      });
    }
  });

  describe('unknown routes', () => {
    for (const path of [
      '/v1/nope',
      '/v1',
      '/v3/orders/7',
      '/v1/orders/7/',
      '/v1/order',
      '/V1/orders/7',
      '/v1//orders/7',
    ]) {
      test(`GET ${path}: 404`, async () => {
        expectError(await app.get(path, { as: 'ada' }), { status: 404, code: 'route_not_found' });
      });
    }

    test('returns 404 for POST as well', async () => {
      expectError(await app.post('/v1/order', { as: 'ada', body: {} }), {
        status: 404,
        code: 'route_not_found',
      });
    });

    test('the query is not echoed', async () => {
      expect((await app.get('/v1/nope?token=secret')).text).not.toContain('secret');
    });
  });

  describe('a former path', () => {
    const former = '/v1/users/1/orders/3';

    for (const method of ['GET', 'HEAD']) {
      test(`${method} is redirected to the new one with 301, keeping its query`, async () => {
        const response = await app.request(method, `${former}?a=1&b=%20x&a=2`, { as: 'ada' });
        expect(response.status).toBe(301);
        expect(response.headers.get('location')).toBe('/v1/orders/3?a=1&b=%20x&a=2');
      });
    }

    test('has no query if there was none', async () => {
      expect((await app.get(former)).headers.get('location')).toBe('/v1/orders/3');
    });

    test('keeps its version', async () => {
      expect((await app.get('/v2/users/1/orders/3?a=1')).headers.get('location')).toBe('/v2/orders/3?a=1');
    });

    test('redirects to this server, whatever its variables are', async () => {
      for (const id of ['%2F%2Fevil.test', '..%2F..', '%0d%0aset-cookie:a=b', 'a%20b']) {
        const location = (await app.get(`/v1/users/1/orders/${id}`)).headers.get('location') ?? '';
        expect(location).toMatch(/^\/v1\/orders\/[^/\s]+$/);
        expect(new URL(location, 'https://portico.test').host).toBe('portico.test');
      }
    });

    test.each(['/v1', '/v2'])('%s that is not percent-encoded UTF-8 is refused', async (version) => {
      const response = await app.get(`${version}/users/1/orders/%C3%28`);
      expectError(response, { status: 400, code: 'malformed_request' });
    });

    test('leads to a target that can be read', async () => {
      const { headers } = await app.get(former, { as: 'ada' });
      const response = await app.get<Order>(headers.get('location') ?? '', { as: 'ada' });
      expect(response.body.id).toBe(3);
    });

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      test(`${method}: 405 with Allow, and nothing is changed`, async () => {
        const response = await writesNothing(app, () => app.request(method, former, { as: 'ada' }));
        expectError(response, { status: 405, code: 'method_not_allowed' });
        expect(response.headers.get('allow')).toContain('GET');
      });
    }
  });

  describe('the second version', () => {
    test('responds like the first where the contract is the same', async () => {
      for (const path of ['/orders/7', '/users/1', '/products?limit=3', '/products/1']) {
        const [first, second] = await Promise.all(
          ['/v1', '/v2'].map((version) => app.get(version + path, { as: 'ada' })),
        );
        expect(second?.status).toBe(200);
        expect(second?.text).toBe(first?.text);
        expect(second?.headers.get('etag')).toBe(first?.headers.get('etag'));
      }
    });

    test('has the location of an order created there', async () => {
      const response = await app.post<Order>('/v2/users/1/orders', { as: 'ada', body: { items: TWO_LAMPS } });
      expect(response.status).toBe(201);
      expect(response.headers.get('location')).toBe(`/v2/orders/${response.body.id}`);
      expect((await app.get(`/v2/orders/${response.body.id}`, { as: 'ada' })).text).toBe(response.text);
      expect(
        (await app.patch(`/v2/orders/${response.body.id}`, { as: 'ada', body: { status: 'shipped' } }))
          .status,
      ).toBe(200);
      expect((await app.delete(`/v2/orders/${response.body.id}`, { as: 'ada' })).status).toBe(204);
    });

    test('signs in', async () => {
      const body = { email: 'ada@acme.test', password: 'portico-demo' };
      expect((await app.post('/v2/auth/login', { body })).status).toBe(200);
    });
  });

  describe('request ids', () => {
    test('every response has its own', async () => {
      const ids = [];
      for (const path of ['/v1/orders/7', '/v1/nope', '/graphql', '/healthz']) {
        ids.push((await app.get(path)).headers.get('x-request-id'));
      }
      expect(new Set(ids).size).toBe(4);
      for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
    });

    test('an id from the client is kept', async () => {
      const response = await app.get('/v1/orders/7', { headers: { 'x-request-id': 'trace:7.a_B-1' } });
      expect(response.headers.get('x-request-id')).toBe('trace:7.a_B-1');
    });

    for (const given of ['a b', 'x'.repeat(129), '{"a":1}']) {
      test(`one that is unsafe in a log line is replaced: ${given.slice(0, 12)}`, async () => {
        const response = await app.get('/v1/orders/7', { headers: { 'x-request-id': given } });
        expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      });
    }
  });

  describe('for operators', () => {
    test('/healthz and /readyz are public', async () => {
      expect((await app.get('/healthz')).body).toEqual({ status: 'ok' });
      const ready = await app.get('/readyz');
      expect(ready.status).toBe(200);
      expect(ready.body).toEqual({
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', draining: 'no' },
      });
    });

    test('the key set has only public keys', async () => {
      const { body } = await app.get<{ keys: Record<string, unknown>[] }>('/.well-known/jwks.json');
      expect(body.keys).toHaveLength(1);
      expect(body.keys[0]).toMatchObject({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: expect.any(String),
      });
      expect(body.keys[0]).not.toHaveProperty('d');
    });
  });
});
