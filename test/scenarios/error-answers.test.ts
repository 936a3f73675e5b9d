/**
 * The formats of an error: problem+json, responses to malformed HTTP, and a size that does not depend on the
 * request.
 */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../src/pipeline/admission/manifest.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody, type GraphQLBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';

// Errors are written without the database.
describeOnSqlite('on the wire', (engine) => {
  const app = startApp(engine);

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
        path: '/v1/products/1',
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
        title: 'Unprocessable Content',
        code: 'empty_order',
      },
    ]) {
      test(`${given}: RFC 9457, with error as a member`, async () => {
        const headers = { accept: 'application/problem+json, application/json;q=0.5' };
        const response = await app.request<Record<string, unknown>>(method, path, {
          as: 'ada',
          headers,
          ...(body && { body }),
        });
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
        const { detail, error, ...others } = response.body;
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
    ])('is sent for Accept "%s": %s', async (accept, wanted) => {
      const { headers } = await app.get('/v1/orders/7', { headers: { accept } });
      const type = wanted ? 'application/problem+json' : 'application/json';
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    });

    test('a successful response stays application/json', async () => {
      const response = await app.get('/v1/orders/7', {
        as: 'ada',
        headers: { accept: 'application/problem+json' },
      });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });
  });

  describe('malformed HTTP', () => {
    for (const { given, lines, status, code } of [
      { given: 'not HTTP at all', lines: ['hello'], status: 400, code: 'malformed_request' },
      {
        given: 'a path that cannot be decoded',
        lines: ['GET /v1/orders/%zz HTTP/1.1', 'Host: portico.test', 'Connection: close'],
        status: 400,
        code: 'malformed_request',
      },
      {
        given: 'headers above the limit',
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
        given: 'a path variable above the limit',
        lines: [`GET /v1/orders/${'7'.repeat(201)} HTTP/1.1`, 'Host: portico.test', 'Connection: close'],
        status: 404,
        code: 'route_not_found',
      },
    ]) {
      test(`${given}: ${status} ${code}, as JSON`, async () => {
        const response = await exchange(app.port, lines);
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(JSON.parse(response.text)).toEqual({ error: { code, message: expect.stringMatching(/\.$/) } });
      });
    }
  });

  describe('responses do not grow with the request', () => {
    test('at most 100 faults are listed', async () => {
      const scopes = Array.from({ length: 50_000 }, () => 1);
      const response = await app.post<ErrorBody>('/v1/auth/login', {
        body: { email: 'a', password: 'b', scopes },
      });
      expect(response.status).toBe(422);
      expect(response.body.error.details).toHaveLength(100);
      const members = Object.fromEntries(scopes.slice(0, 10_000).map((_, index) => [`member${index}`, 1]));
      const other = await app.post<ErrorBody>('/v1/auth/login', { body: members });
      expect(other.status).toBe(422);
      expect(other.body.error.details?.length).toBeLessThanOrEqual(102);
    });
  });

  describe.each(['application/json', 'text/event-stream'])('a GraphQL URL, for %s', (accept) => {
    const query = 'query A($id: ID!) { order(id: $id) { id } } query B { me { id } }';
    const send = (parameters: readonly (readonly [string, string])[]) => {
      const search = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
      return app.get<GraphQLBody<unknown>>(`/graphql?${search}`, { as: 'ada', headers: { accept } });
    };

    const text = ['query', query] as const;
    const id = ['documentId', hashOf(query)] as const;
    const operation = ['operationName', 'A'] as const;
    const variables = ['variables', '{"id":7}'] as const;

    test.each([
      ['a document twice', [text, text, operation, variables]],
      ['a document twice, beside an id', [text, text, id, operation, variables]],
      ['an id twice', [id, id, operation, variables]],
      ['an operation twice', [text, operation, operation, variables]],
      ['an operation twice, of a document by its id', [id, operation, operation, variables]],
      ['variables twice', [text, operation, variables, variables]],
      [
        'variables twice, for a document by its id',
        [id, operation, ['variables', '{"id":7'], ['variables', '"id":8}']],
      ],
      ['a variable twice', [text, operation, ['variables', '{"id":7,"id":8}']]],
      // As in the body of a POST.
      [
        'a number that is out of range',
        [id, operation, ['variables', '{"id":9007199254740993}']],
        422,
        'validation_failed',
      ],
    ] as const)(
      'is refused if it has %s',
      async (_title, parameters, status: number = 400, code: string = 'malformed_request') => {
        // It is known by its hash from then on.
        expect((await send([text, operation, variables])).text).toContain('"order":{"id":"7"}');
        expect((await send([id, operation, variables])).text).toContain('"order":{"id":"7"}');
        app.forgetStatements();
        const response = await send(parameters);
        expect(response.status).toBe(status);
        expect(codesOf(response)).toEqual([code]);
        expect(app.statements).toEqual([]);
      },
    );
  });

  test.each([
    ['a constraint', '{ products(first: 0) { nodes { id } } }'],
    ['both ends of a list', '{ me { orders(first: 1, last: 1) { id } } }'],
    ['a cursor of the other direction', '{ products(first: 1, before: "x") { nodes { id } } }'],
    ['a list of types', '{ feed(types: ["nope"]) { nodes { id } } }'],
    [
      'an amount',
      'mutation { createCharge(input: { source: "tok_visa" }, idempotencyKey: "about-one-value") { id } }',
    ],
    ['scopes', 'mutation { createApiKey(input: { name: "ci", scopes: ["nope"] }) { id } }'],
    [
      'a webhook',
      'mutation { createWebhook(input: { url: "https://example.com", types: ["nope"] }) { id } }',
    ],
  ])('an error about one value has the message for that value: %s', async (_title, query) => {
    const { body } = await app.graphql(query, {}, { as: 'ada' });
    expect(body.errors).toHaveLength(1);
    const [error] = body.errors ?? [];
    const { code, details } = error?.extensions ?? {};
    expect(code).toBe('validation_failed');
    expect(details?.map(({ path, message }) => `${path} ${message}.`)).toEqual([error?.message]);
  });

  describe('GraphQL with unknown names', () => {
    test.each([
      ['a subscription', { query: 'subscription { x }' }, 'graphql_validation_failed'],
      ['a hash of another document', persisted('{ me { id } }', 'constructor'), 'malformed_request'],
      [
        'a persisted query that is a number',
        { query: '{ me { id } }', extensions: { persistedQuery: 1 } },
        'malformed_request',
      ],
    ])('%s returns 400', async (_title, body, code) => {
      const response = await app.post<{ errors: { extensions: { code: string } }[] }>('/graphql', {
        as: 'ada',
        body,
      });
      expect(response.status).toBe(400);
      expect(response.body.errors.map((error) => error.extensions.code)).toEqual([code]);
    });
  });
});

function persisted(query: string, sha256Hash: string) {
  return { query, extensions: { persistedQuery: { version: 1, sha256Hash } } };
}
