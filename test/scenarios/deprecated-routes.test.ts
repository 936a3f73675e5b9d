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

interface Case {
  readonly title: string;
  readonly request: readonly [method: string, path: string, options?: RequestOptions];
  readonly status: number;
  readonly says: ReturnType<typeof announcementOf>;
}

const ORDER = '/v1/old-orders/7';
const ADD = '/v1/users/1/old-orders';

const CASES: readonly Case[] = [
  {
    title: 'a successful response',
    request: ['GET', ORDER, { as: 'ada' }],
    status: 200,
    says: announced('/v2/orders/7'),
  },
  { title: 'HEAD', request: ['HEAD', ORDER, { as: 'ada' }], status: 200, says: announced('/v2/orders/7') },
  {
    title: '304',
    request: ['GET', ORDER, { as: 'ada', headers: { 'if-none-match': '*' } }],
    status: 304,
    says: announced('/v2/orders/7'),
  },
  { title: '401', request: ['GET', ORDER], status: 401, says: announced('/v2/orders/7') },
  { title: '403', request: ['GET', ORDER, { as: 'gil' }], status: 403, says: announced('/v2/orders/7') },
  {
    title: '404',
    request: ['GET', '/v1/old-orders/999', { as: 'ada' }],
    status: 404,
    says: announced('/v2/orders/999'),
  },
  {
    title: '400, with the invalid path variable encoded',
    request: ['GET', '/v1/old-orders/%3E%3B%20rel=x', { as: 'ada' }],
    status: 400,
    says: announced('/v2/orders/%3E%3B%20rel%3Dx'),
  },
  {
    title: '400 for a body that is not JSON',
    request: ['POST', ADD, { as: 'ada', text: '{' }],
    status: 400,
    says: announced('/v2/users/1/orders'),
  },
  {
    title: '413',
    request: ['POST', ADD, { as: 'ada', text: `"${'x'.repeat(300_000)}"` }],
    status: 413,
    says: announced('/v2/users/1/orders'),
  },
  {
    title: '415',
    request: ['POST', ADD, { as: 'ada', text: 'x', headers: { 'content-type': 'text/plain' } }],
    status: 415,
    says: announced('/v2/users/1/orders'),
  },
  {
    title: '422',
    request: ['POST', ADD, { as: 'ada', body: { items: [] } }],
    status: 422,
    says: announced('/v2/users/1/orders'),
  },
  {
    title: 'another method, with its own dates',
    request: ['DELETE', ORDER],
    status: 401,
    says: announced(...DROPPED),
  },
  {
    title: '405 on a path whose methods are all deprecated, with the dates of the last one',
    request: ['PUT', ORDER],
    status: 405,
    says: announced(...DROPPED),
  },
  {
    title: 'OPTIONS on a path whose methods are all deprecated',
    request: ['OPTIONS', ORDER],
    status: 204,
    says: announced(...DROPPED),
  },
  {
    title: 'nothing: a method that is not deprecated',
    request: ['GET', ADD, { as: 'ada' }],
    status: 200,
    says: NOTHING,
  },
  {
    title: 'nothing: 405 on a path with a method that is not deprecated',
    request: ['PUT', ADD],
    status: 405,
    says: NOTHING,
  },
  {
    title: 'nothing: OPTIONS on a path with a method that is not deprecated',
    request: ['OPTIONS', ADD],
    status: 204,
    says: NOTHING,
  },
  {
    title: 'nothing: the successor',
    request: ['GET', '/v2/orders/7', { as: 'ada' }],
    status: 200,
    says: NOTHING,
  },
  {
    title: 'nothing: a successor that is the same operation under /v2',
    request: ['GET', '/v2/people/1', { as: 'ada' }],
    status: 200,
    says: NOTHING,
  },
  {
    title: 'the operation of that successor under /v1',
    request: ['GET', '/v1/people/1', { as: 'ada' }],
    status: 200,
    says: announced('/v2/people/1'),
  },
  {
    title: 'nothing: a route with another successor, under /v2, where it is not deprecated',
    request: ['GET', '/v2/old-orders/7', { as: 'ada' }],
    status: 404,
    says: NOTHING,
  },
  {
    title: 'nothing: a former path, which redirects to one that announces it',
    request: ['GET', '/v1/persons/1'],
    status: 301,
    says: NOTHING,
  },
  {
    title: 'nothing: /graphql',
    request: ['POST', '/graphql', { body: { query: '{ __typename }' } }],
    status: 200,
    says: NOTHING,
  },
];

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
    async function usesBy(request: Case['request']) {
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
