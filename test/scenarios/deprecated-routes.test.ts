/** Deprecated routes: every response announces the deprecation, and each use is recorded with its caller. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PUBLIC_URL, restFolder, startApp } from '../support/app.ts';
import type { RequestOptions } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { readMetrics } from '../support/metrics.ts';
import { scriptedLoad } from '../support/test-doubles.ts';

const DOCUMENTS = {
  'v1/old.graphql': `
    query GetOldOrder($order_id: ID!)
    @rest(method: GET, path: "/v1/old-orders/{order_id}")
    @deprecatedRoute(since: "2026-11-01", successor: "/v2/orders/{order_id}") {
      order(id: $order_id) { id version @etag }
    }

    mutation DropOldOrder($order_id: ID!)
    @rest(method: DELETE, path: "/v1/old-orders/{order_id}", status: 204)
    @deprecatedRoute(since: "2026-12-01", sunset: "2027-06-01", successor: "/v2/orders/{order_id}") {
      deleteOrder(id: $order_id)
    }

    mutation AddOldOrder($user_id: ID!, $items: [OrderItemInput!]!)
    @rest(method: POST, path: "/v1/users/{user_id}/old-orders", status: 201)
    @deprecatedRoute(since: "2026-11-01", successor: "/v2/users/{user_id}/orders") {
      createOrder(input: { userId: $user_id, items: $items }) { id }
    }

    query ListOldOrders($user_id: ID!) @rest(method: GET, path: "/v1/users/{user_id}/old-orders") {
      orders(userId: $user_id) { data: nodes { id } }
    }

    query GetOldPerson($user_id: ID!)
    @rest(method: GET, path: "/v1/people/{user_id}", movedFrom: ["/v1/persons/{user_id}"])
    @deprecatedRoute(since: "2026-11-01", successor: "/v2/people/{user_id}") {
      user(id: $user_id) { id }
    }

    query GetMovedOrder($order_id: ID!)
    @rest(
      method: GET
      path: "/v1/moved-orders/{order_id}"
      movedFrom: ["/v1/users/{user_id}/moved-orders/{order_id}"]
      movedSince: "2026-11-01"
    ) {
      order(id: $order_id) { id }
    }

    query GetOldFeed
    @rest(method: GET, path: "/v1/old-feed")
    @deprecatedRoute(since: "2026-11-01", successor: "/v2/old-feed") {
      feed { data: nodes { id } }
    }

    subscription StreamOldFeed @rest(method: GET, path: "/v1/old-feed") { activity { id } }`,
};

/** The documents of all servers in this file, which are read once. */
const FOLDER = restFolder(DOCUMENTS, 'own documents');

/** The deprecation headers of a response; null for each missing one. */
const announcementOf = (headers: Headers) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});

const announced = (
  successor: string,
  deprecation = '@1793491200',
  sunset = 'Mon, 01 Nov 2027 00:00:00 GMT',
) => ({
  deprecation,
  sunset,
  link: `<${successor}>; rel="successor-version", </docs/versions>; rel="deprecation"; type="text/html"`,
});

const DROPPED = ['/v2/orders/7', '@1796083200', 'Tue, 01 Jun 2027 00:00:00 GMT'] as const;
const NOTHING = { deprecation: null, sunset: null, link: null };

type Call = readonly [method: string, path: string, options?: RequestOptions];
type Row = readonly [status: number, title: string, request: Call, says: ReturnType<typeof announcementOf>];

const ORDER = '/v1/old-orders/7';
const ADD = '/v1/users/1/old-orders';

const TABLE: readonly Row[] = [
  [200, 'a successful response', ['GET', ORDER, { as: 'ada' }], announced('/v2/orders/7')],
  [200, 'HEAD', ['HEAD', ORDER, { as: 'ada' }], announced('/v2/orders/7')],
  [304, '304', ['GET', ORDER, { as: 'ada', headers: { 'if-none-match': '*' } }], announced('/v2/orders/7')],
  [401, '401', ['GET', ORDER], announced('/v2/orders/7')],
  [403, '403', ['GET', ORDER, { as: 'gil' }], announced('/v2/orders/7')],
  [404, '404', ['GET', '/v1/old-orders/999', { as: 'ada' }], announced('/v2/orders/999')],
  [
    400,
    '400, with the invalid path variable encoded',
    ['GET', '/v1/old-orders/%3E%3B%20rel=x', { as: 'ada' }],
    announced('/v2/orders/%3E%3B%20rel%3Dx'),
  ],
  [
    400,
    '400 for a body that is not JSON',
    ['POST', ADD, { as: 'ada', text: '{' }],
    announced('/v2/users/1/orders'),
  ],
  [
    413,
    '413',
    ['POST', ADD, { as: 'ada', text: `"${'x'.repeat(300_000)}"` }],
    announced('/v2/users/1/orders'),
  ],
  [
    415,
    '415',
    ['POST', ADD, { as: 'ada', text: 'x', headers: { 'content-type': 'text/plain' } }],
    announced('/v2/users/1/orders'),
  ],
  [422, '422', ['POST', ADD, { as: 'ada', body: { items: [] } }], announced('/v2/users/1/orders')],
  [401, 'another method, with its own dates', ['DELETE', ORDER], announced(...DROPPED)],
  [
    405,
    '405 on a path whose methods are all deprecated, with the dates of the last one',
    ['PUT', ORDER],
    announced(...DROPPED),
  ],
  [204, 'OPTIONS on a path whose methods are all deprecated', ['OPTIONS', ORDER], announced(...DROPPED)],
  [200, 'nothing: a method that is not deprecated', ['GET', ADD, { as: 'ada' }], NOTHING],
  [405, 'nothing: 405 on a path with a method that is not deprecated', ['PUT', ADD], NOTHING],
  [204, 'nothing: OPTIONS on a path with a method that is not deprecated', ['OPTIONS', ADD], NOTHING],
  [200, 'nothing: the successor', ['GET', '/v2/orders/7', { as: 'ada' }], NOTHING],
  [
    200,
    'nothing: a successor that is the same operation under /v2',
    ['GET', '/v2/people/1', { as: 'ada' }],
    NOTHING,
  ],
  [
    200,
    'the operation of that successor under /v1',
    ['GET', '/v1/people/1', { as: 'ada' }],
    announced('/v2/people/1'),
  ],
  [
    404,
    'nothing: a route with another successor, under /v2, where it is not deprecated',
    ['GET', '/v2/old-orders/7', { as: 'ada' }],
    NOTHING,
  ],
  [
    301,
    'nothing: a former path, which redirects to one that announces it',
    ['GET', '/v1/persons/1'],
    NOTHING,
  ],
  [200, 'nothing: /graphql', ['POST', '/graphql', { body: { query: '{ __typename }' } }], NOTHING],
];

const CASES = TABLE.map(([status, title, request, says]) => ({ status, title, request, says }));

describeEachEngine('deprecated routes', (engine) => {
  const app = startApp(engine, { restFolder: FOLDER });

  describe('are announced in', () => {
    test.each(CASES)('$title', async ({ request: [method, path, options], status, says }) => {
      const response = await app.request(method, path, options);
      expect(response.status).toBe(status);
      expect(announcementOf(response.headers)).toEqual(says);
    });
  });

  test('are announced in the headers of a stream', async () => {
    const { token } = await app.signIn('ada');
    const controller = new AbortController();
    const response = await fetch(`${app.url}/v1/old-feed`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    controller.abort();
    expect(response.status).toBe(200);
    expect(announcementOf(response.headers)).toEqual(announced('/v2/old-feed'));
  });

  test.each(['/v1/users//moved-orders/7', '/v1/users/1/moved-orders/'])(
    'do not redirect from %s, which lacks a parameter',
    async (path) => expectError(await app.get(path), { status: 404, code: 'route_not_found' }),
  );

  describe('are counted', () => {
    /** The logged uses after a request that leaves no other line in the log. */
    async function usesBy(request: Call) {
      const before = app.log.length;
      await app.request(...request);
      const lines = () => app.log.slice(before).map((line) => JSON.parse(line));
      // Uses are logged after the response, with the line of the request.
      await expect.poll(() => lines().filter(({ msg }) => msg === 'request')).toHaveLength(1);
      await nextTurn();
      return lines()
        .filter(({ deprecated }) => deprecated !== undefined)
        .map(({ deprecated, principal }) => ({ deprecated, principal }));
    }

    test.each([
      {
        title: 'with the person who called',
        request: ['GET', ORDER, { as: 'ed' }],
        uses: [
          { deprecated: ['GET /v1/old-orders/{order_id}'], principal: { kind: 'user', id: 2, org: 'acme' } },
        ],
      },
      {
        title: 'without a caller, for an anonymous request',
        request: ['GET', ORDER],
        uses: [{ deprecated: ['GET /v1/old-orders/{order_id}'] }],
      },
      {
        title: 'for a former path',
        request: ['GET', '/v1/users/1/moved-orders/7', { as: 'ed' }],
        uses: [
          {
            deprecated: ['GET /v1/users/{user_id}/moved-orders/{order_id}'],
            principal: { kind: 'user', id: 2, org: 'acme' },
          },
        ],
      },
      { title: 'not, for the current path', request: ['GET', '/v1/moved-orders/7', { as: 'ed' }], uses: [] },
      { title: 'not, for another method', request: ['GET', ADD, { as: 'ed' }], uses: [] },
      { title: 'not, for the successor', request: ['GET', '/v2/orders/7', { as: 'ed' }], uses: [] },
      { title: 'not, for a method that the path does not support', request: ['PUT', ORDER], uses: [] },
    ] as const)('$title', async ({ request, uses }) => {
      if (request[2]) await app.signIn(request[2].as);
      expect(await usesBy(request)).toEqual(uses);
    });

    test('with the API key of the caller', async () => {
      const made = await app.post<{ id: number; key: string }>('/v1/api-keys', {
        as: 'ada',
        body: { name: 'old', scopes: ['read:orders'] },
      });
      const headers = { authorization: `ApiKey ${made.body.key}` };
      expect(await usesBy(['GET', ORDER, { headers }])).toEqual([
        {
          deprecated: ['GET /v1/old-orders/{order_id}'],
          principal: { kind: 'api_key', id: made.body.id, org: 'acme' },
        },
      ]);
    });

    test('in the metrics, by the kind of client', async () => {
      const count = async (client: string) => {
        const { text } = await app.get('/metrics');
        const found = readMetrics(text)
          .flatMap((family) => family.samples)
          .find(
            ({ name, labels }) =>
              name === 'portico_deprecated_uses_total' &&
              labels['what'] === 'GET /v1/people/{user_id}' &&
              labels['client'] === client,
          );
        return found?.value ?? 0;
      };
      await app.signIn('gil');
      const before = [await count('user'), await count('anonymous')] as const;
      await usesBy(['GET', '/v1/people/4', { as: 'gil' }]);
      await usesBy(['GET', '/v1/people/4']);
      await usesBy(['GET', '/v1/people/5']);
      await usesBy(['GET', '/v2/people/4', { as: 'gil' }]);
      expect([await count('user'), await count('anonymous')]).toEqual([before[0] + 1, before[1] + 2]);
    });
  });
});

// Neither the links nor a rejection depend on the engine.
describeOnSqlite(`behind ${PUBLIC_URL}/shop`, (engine) => {
  const app = startApp(engine, {
    restFolder: FOLDER,
    http: { publicUrl: `${PUBLIC_URL}/shop` },
  });

  test('links begin with that path', async () => {
    const { headers } = await app.get(ORDER);
    expect(headers.get('link')).toBe(
      '</shop/v2/orders/7>; rel="successor-version", </shop/docs/versions>; rel="deprecation"; type="text/html"',
    );
  });
});

describeOnSqlite('deprecated routes of an overloaded server', (engine) => {
  const load = scriptedLoad();
  const app = startApp(engine, {
    restFolder: FOLDER,
    scheduling: load.scheduling,
  });

  test('are announced in rejections as well', async () => {
    await app.signIn('ada');
    load.overload();
    const response = await app.get(ORDER, { as: 'ada' });
    expect(response.status).toBe(503);
    expect(announcementOf(response.headers)).toEqual(announced('/v2/orders/7'));
  });
});
