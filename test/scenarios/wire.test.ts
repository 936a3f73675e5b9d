/** What holds on every route: methods, former paths, versions, the forms of an error, request ids. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { TWO_LAMPS } from '../support/orders.ts';
import { exchange } from '../support/raw.ts';
import type { Order } from '../support/shapes.ts';

/** Each path, and what it answers. */
const ROUTES = [
  { path: '/v1/auth/login', methods: ['POST'] },
  { path: '/v1/auth/refresh', methods: ['POST'] },
  { path: '/v1/auth/logout', methods: ['POST'] },
  { path: '/v1/users/1', methods: ['GET', 'PATCH'] },
  { path: '/v1/users/1/orders', methods: ['GET', 'POST'] },
  { path: '/v1/orders/7', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
  { path: '/v1/products', methods: ['GET'] },
  { path: '/v1/products/1', methods: ['GET'] },
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
        const answer = await app.options(path);
        expect(answer.status).toBe(204);
        expect(allowOf(answer.headers)).toEqual(allow);
      });

      for (const method of METHODS.filter((candidate) => !own.includes(candidate))) {
        test(`${method} ${path}: 405 with Allow`, async () => {
          const answer = await writesNothing(app, () => app.request(method, path, { as: 'ada' }));
          expect(answer.status).toBe(405);
          expect(allowOf(answer.headers)).toEqual(allow);
          if (method !== 'HEAD') expectError(answer, { status: 405, code: 'method_not_allowed' });
        });
      }
    }

    test('a method that is not allowed is refused before its body is read', async () => {
      const answer = await app.post('/v1/orders/7', {
        text: '{"broken',
        headers: { 'content-type': 'text/plain' },
      });
      expectError(answer, { status: 405, code: 'method_not_allowed' });
    });
  });

  describe('routes that are not there', () => {
    for (const path of [
      '/v1/nope',
      '/v1',
      '/v3/orders/7',
      '/v1/orders/7/',
      '/v1/orders',
      '/V1/orders/7',
      '/v1//orders/7',
    ]) {
      test(`GET ${path}: 404`, async () => {
        expectError(await app.get(path, { as: 'ada' }), { status: 404, code: 'route_not_found' });
      });
    }

    test('POST: 404 as well', async () => {
      expectError(await app.post('/v1/orders', { as: 'ada', body: {} }), {
        status: 404,
        code: 'route_not_found',
      });
    });

    test('the query is not said again', async () => {
      expect((await app.get('/v1/nope?token=secret')).text).not.toContain('secret');
    });
  });

  describe('a former path', () => {
    const former = '/v1/users/1/orders/3';

    for (const method of ['GET', 'HEAD']) {
      test(`${method} is led to the new one with 301, its query kept`, async () => {
        const answer = await app.request(method, `${former}?a=1&b=%20x&a=2`, { as: 'ada' });
        expect(answer.status).toBe(301);
        expect(answer.headers.get('location')).toBe('/v1/orders/3?a=1&b=%20x&a=2');
      });
    }

    test('without a query there is none', async () => {
      expect((await app.get(former)).headers.get('location')).toBe('/v1/orders/3');
    });

    test('it keeps its version', async () => {
      expect((await app.get('/v2/users/1/orders/3?a=1')).headers.get('location')).toBe('/v2/orders/3?a=1');
    });

    test('it leads to this server, whatever its variables are', async () => {
      for (const id of ['%2F%2Fevil.test', '..%2F..', '%0d%0aset-cookie:a=b', 'a%20b']) {
        const location = (await app.get(`/v1/users/1/orders/${id}`)).headers.get('location') ?? '';
        expect(location).toMatch(/^\/v1\/orders\/[^/\s]+$/);
        expect(new URL(location, 'https://portico.test').host).toBe('portico.test');
      }
    });

    test('what it leads to can be read', async () => {
      const { headers } = await app.get(former, { as: 'ada' });
      const answer = await app.get<Order>(headers.get('location') ?? '', { as: 'ada' });
      expect(answer.body.id).toBe(3);
    });

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      test(`${method}: 405 with Allow, and nothing is changed`, async () => {
        const answer = await writesNothing(app, () => app.request(method, former, { as: 'ada' }));
        expectError(answer, { status: 405, code: 'method_not_allowed' });
        expect(answer.headers.get('allow')).toContain('GET');
      });
    }
  });

  describe('the second version', () => {
    test('answers like the first where its contract is the same', async () => {
      for (const path of ['/orders/7', '/users/1', '/products?limit=3', '/products/1']) {
        const [first, second] = await Promise.all(
          ['/v1', '/v2'].map((version) => app.get(version + path, { as: 'ada' })),
        );
        expect(second?.status).toBe(200);
        expect(second?.text).toBe(first?.text);
        expect(second?.headers.get('etag')).toBe(first?.headers.get('etag'));
      }
    });

    test('an order that is placed there is located there', async () => {
      const answer = await app.post<Order>('/v2/users/1/orders', { as: 'ada', body: { items: TWO_LAMPS } });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(`/v2/orders/${answer.body.id}`);
      expect((await app.get(`/v2/orders/${answer.body.id}`, { as: 'ada' })).text).toBe(answer.text);
      expect(
        (await app.patch(`/v2/orders/${answer.body.id}`, { as: 'ada', body: { status: 'shipped' } })).status,
      ).toBe(200);
      expect((await app.delete(`/v2/orders/${answer.body.id}`, { as: 'ada' })).status).toBe(204);
    });

    test('signs in', async () => {
      const body = { email: 'ada@acme.test', password: 'portico-demo' };
      expect((await app.post('/v2/auth/login', { body })).status).toBe(200);
    });
  });

  describe('an error as application/problem+json', () => {
    for (const { given, method, path, body, status, title, code } of [
      {
        given: 'not found',
        method: 'GET',
        path: '/v1/orders/999999',
        status: 404,
        title: 'Not Found',
        code: 'not_found',
      },
      {
        given: 'no such route',
        method: 'GET',
        path: '/v1/nope',
        status: 404,
        title: 'Not Found',
        code: 'route_not_found',
      },
      {
        given: 'not allowed',
        method: 'POST',
        path: '/v1/products',
        status: 405,
        title: 'Method Not Allowed',
        code: 'method_not_allowed',
      },
      {
        given: 'invalid',
        method: 'POST',
        path: '/v1/users/1/orders',
        body: { items: [] },
        status: 422,
        title: 'Unprocessable Entity',
        code: 'empty_order',
      },
    ]) {
      test(`${given}: RFC 9457, with error as a member`, async () => {
        const headers = { accept: 'application/problem+json, application/json;q=0.5' };
        const answer = await app.request<Record<string, unknown>>(method, path, {
          as: 'ada',
          headers,
          ...(body && { body }),
        });
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
        const { detail, error, ...others } = answer.body;
        expect(others).toEqual({ type: 'about:blank', title, status });
        expect(error).toMatchObject({ code, message: detail });
        if (code === 'empty_order')
          expect(error).toHaveProperty('details', [{ path: 'items', message: expect.any(String) }]);
      });
    }

    test.each([
      ['application/json, application/problem+json', true],
      ['application/problem+json, */*', true],
      ['application/problem+json;q=0', false],
      ['application/problem+json;q=0.5, application/json', false],
      ['application/problem+jsonp', false],
      ['*/*', false],
    ])('is what "%s" wants: %s', async (accept, wanted) => {
      const { headers } = await app.get('/v1/orders/7', { headers: { accept } });
      const type = wanted ? 'application/problem+json' : 'application/json';
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    });

    test('success stays application/json', async () => {
      const answer = await app.get('/v1/orders/7', {
        as: 'ada',
        headers: { accept: 'application/problem+json' },
      });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });
  });

  describe('request ids', () => {
    test('every answer has one of its own', async () => {
      const ids = [];
      for (const path of ['/v1/orders/7', '/v1/nope', '/graphql', '/healthz']) {
        ids.push((await app.get(path)).headers.get('x-request-id'));
      }
      expect(new Set(ids).size).toBe(4);
      for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
    });

    test("a caller's own is kept", async () => {
      const answer = await app.get('/v1/orders/7', { headers: { 'x-request-id': 'trace:7.a_B-1' } });
      expect(answer.headers.get('x-request-id')).toBe('trace:7.a_B-1');
    });

    for (const given of ['a b', 'x'.repeat(129), '{"a":1}']) {
      test(`one that could not stand in a log line is not: ${given.slice(0, 12)}`, async () => {
        const answer = await app.get('/v1/orders/7', { headers: { 'x-request-id': given } });
        expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      });
    }
  });

  describe('what is hardly HTTP', () => {
    for (const { given, lines, status, code } of [
      { given: 'no HTTP at all', lines: ['hello'], status: 400, code: 'malformed_request' },
      {
        given: 'a path that cannot be decoded',
        lines: ['GET /v1/orders/%zz HTTP/1.1', 'Host: portico.test', 'Connection: close'],
        status: 400,
        code: 'malformed_request',
      },
      {
        given: 'headers beyond their bound',
        lines: [
          'GET /v1/orders/7 HTTP/1.1',
          'Host: portico.test',
          `X-Long: ${'x'.repeat(20_000)}`,
          'Connection: close',
        ],
        status: 431,
        code: 'header_too_large',
      },
      {
        given: 'a variable of the path beyond its bound',
        lines: [`GET /v1/orders/${'7'.repeat(201)} HTTP/1.1`, 'Host: portico.test', 'Connection: close'],
        status: 404,
        code: 'route_not_found',
      },
    ]) {
      test(`${given}: ${status} ${code}, as JSON`, async () => {
        const answer = await exchange(app.port, lines);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(JSON.parse(answer.text)).toEqual({ error: { code, message: expect.stringMatching(/\.$/) } });
      });
    }
  });

  describe('for operators', () => {
    test('/healthz and /readyz answer everybody', async () => {
      expect((await app.get('/healthz')).body).toEqual({ status: 'ok' });
      const ready = await app.get('/readyz');
      expect(ready.status).toBe(200);
      expect(ready.body).toEqual({
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', draining: 'no' },
      });
    });

    test('the key set has public keys alone', async () => {
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

  describe('answers do not grow with what was sent', () => {
    test('at most 100 things are named as wrong', async () => {
      const scopes = Array.from({ length: 50_000 }, () => 1);
      const answer = await app.post<ErrorBody>('/v1/auth/login', {
        body: { email: 'a', password: 'b', scopes },
      });
      expect(answer.status).toBe(422);
      expect(answer.body.error.details).toHaveLength(100);
      const members = Object.fromEntries(scopes.slice(0, 10_000).map((_, index) => [`member${index}`, 1]));
      const other = await app.post<ErrorBody>('/v1/auth/login', { body: members });
      expect(other.status).toBe(422);
      expect(other.body.error.details?.length).toBeLessThanOrEqual(102);
    });
  });

  describe('GraphQL that asks for what is not there', () => {
    test.each([
      ['a subscription', { query: 'subscription { x }' }, 'graphql_validation_failed'],
      ['a hash of another document', persisted('{ me { id } }', 'constructor'), 'malformed_request'],
      [
        'a persisted query that is a number',
        { query: '{ me { id } }', extensions: { persistedQuery: 1 } },
        'malformed_request',
      ],
    ])('%s is 400', async (_title, body, code) => {
      const answer = await app.post<{ errors: { extensions: { code: string } }[] }>('/graphql', {
        as: 'ada',
        body,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors.map((error) => error.extensions.code)).toEqual([code]);
    });
  });
});

function persisted(query: string, sha256Hash: string) {
  return { query, extensions: { persistedQuery: { version: 1, sha256Hash } } };
}
