/** The budget: one per caller, shared by all doors. The server's clock stands still unless a test advances it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { type Answer, codesOf, type Sender } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { makeCharge } from '../support/fixtures/charges.ts';

const POINTS = 500;
const PER_SECOND = 10;

const PAGE = '{ products(first: 100) { nodes { id } } }';
const ORDER = '{ order(id: 7) { id } }';

// Points are taken before the first statement and settled after the last.
describeOnSqlite('the budget', (engine) => {
  const app = startApp(engine, { budget: { points: POINTS, perSecond: PER_SECOND } });

  /** Advances the clock until the budget is full. */
  afterEach(() => app.clock.advance((POINTS / PER_SECOND) * 1000));

  const remaining = ({ headers }: Answer<unknown>) =>
    Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

  /** Spends all but a few points, alternating between both doors. */
  async function empty(as: Sender): Promise<void> {
    while ((await app.graphql(PAGE, {}, { as })).status === 200);
    for (let turn = 0; ; turn += 1) {
      const response =
        turn % 2 ? await app.graphql(ORDER, {}, { as }) : await app.get('/v1/orders/7', { as });
      if (response.status === 429) return;
      expect(response.status).toBe(200);
      if (turn > POINTS) throw new Error('It never ends.');
    }
  }

  /** Sends requests of several callers at once, each on a connection of its own. @returns the statuses, in the order of the callers. */
  async function sendTogether(
    tokens: readonly (string | undefined)[],
    path: string,
    localAddress = '127.0.0.1',
  ): Promise<readonly number[]> {
    const sockets = tokens.map(() => connect({ port: app.port, host: '127.0.0.1', localAddress }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const statuses = sockets.map(async (socket, index) => {
      const token = tokens[index];
      const lines = [
        `GET ${path} HTTP/1.1`,
        'host: x',
        ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
        'connection: close',
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
    });
    return Promise.all(statuses);
  }

  describe('a response reports', () => {
    test('over REST: the policy and the remaining points', async () => {
      const response = await app.get('/v1/orders/7', { as: 'ada' });
      expect(response.headers.get('ratelimit-policy')).toBe('"points";q=500;w=50');
      expect(response.headers.get('ratelimit')).toMatch(/^"points";r=49\d;t=1$/);
    });

    test('over GraphQL: the same and the cost of the operation', async () => {
      const query = '{ order(id: 7) { items { id } } }';
      // Reading a new document is charged once, and is not part of the operation's cost.
      await app.graphql(query, {}, { as: 'vic' });
      const response = await app.graphql<{ order: { items: object[] } }>(query, {}, { as: 'ed' });
      const items = response.body.data?.order.items.length ?? 0;
      expect(items).toBeGreaterThan(0);
      expect(response.cost).toEqual({
        requestedQueryCost: 6,
        actualQueryCost: 1 + items,
        throttleStatus: {
          maximumAvailable: POINTS,
          currentlyAvailable: POINTS - 1 - items,
          restoreRate: PER_SECOND,
        },
      });
      expect(remaining(response)).toBe(POINTS - 1 - items);
      expect(response.headers.get('ratelimit-policy')).toBe('"points";q=500;w=50');
    });

    test('refunds points for rows that were not returned', async () => {
      // Reading a new document is charged once.
      await app.graphql(PAGE, {}, { as: 'vic' });
      const before = await app.graphql('{ __typename }', {}, { as: 'vic' });
      const response = await app.graphql(PAGE, {}, { as: 'vic' });
      // acme has 12 products.
      expect(response.cost).toMatchObject({ requestedQueryCost: 101, actualQueryCost: 13 });
      expect(remaining(response)).toBe(remaining(before) - 13);
    });

    test('charges additional rows', async () => {
      const items = Array.from({ length: 40 }, () => ({ product_id: 1, qty: 1 }));
      const made = await app.post<{ id: number }>('/v1/users/1/orders', { as: 'ada', body: { items } });
      const response = await app.graphql(
        `{ order(id: ${made.body.id}) { items { id } } }`,
        {},
        { as: 'ada' },
      );
      expect(response.cost).toMatchObject({ requestedQueryCost: 6, actualQueryCost: 41 });
    });

    test('charges a refused document, and reports the remaining points', async () => {
      const before = await app.graphql('{ __typename }', {}, { as: 'vic' });
      const response = await app.graphql('{ nope }', {}, { as: 'vic' });
      expect(response.status).toBe(400);
      // One point for parsing.
      expect(remaining(response)).toBe(remaining(before) - 11);
    });

    test('an operation that costs more than a full budget never runs, and does not increase the budget', async () => {
      const query =
        '{ products(first: 100) { nodes { id name } } me { orders(last: 100) { items { id } } } }';
      const before = await app.graphql('{ __typename }', {}, { as: 'ada' });
      for (let turn = 0; turn < 5; turn += 1) {
        const response = await app.graphql(query, {}, { as: 'ada' });
        expect(response.status).toBe(400);
        expect(codesOf(response)).toEqual(['cost_exceeded']);
      }
      expect(app.statements).toEqual([]);
      const after = await app.graphql('{ __typename }', {}, { as: 'ada' });
      expect(remaining(after)).toBeLessThanOrEqual(remaining(before) - 5 * LIMITS.refusalCost);
    });

    test('an operation above the cost limit is refused before it runs', async () => {
      const query = '{ user(id: 1) { orders(first: 100) { items(first: 100) { id } } } }';
      const response = await app.graphql(query, {}, { as: 'ada' });
      expect(response.status).toBe(400);
      expect(codesOf(response)).toEqual(['cost_exceeded']);
      expect(app.statements).toEqual([]);
    });

    test.each([
      ['cost_exceeded', '{ user(id: 1) { orders(first: 100) { items(first: 100) { id } } } }', 10_101],
      [
        'cost_exceeded',
        '{ products(first: 100) { nodes { id name } } me { orders(last: 100) { items { id } } } }',
        702,
      ],
      ['rate_limited', PAGE, 101],
    ])('what an operation would have cost, when it is refused with %s', async (code, query, points) => {
      if (code === 'rate_limited') await empty('vic');
      // With a new document, unless another test has sent it, and with a known one.
      for (let turn = 0; turn < 2; turn += 1) {
        const response = await app.graphql(query, {}, { as: 'vic' });
        expect(codesOf(response)).toEqual([code]);
        expect(response.cost).toMatchObject({ requestedQueryCost: points, actualQueryCost: 0 });
      }
    });
  });

  describe('with no points left', () => {
    test('both doors return 429 with a correct Retry-After', async () => {
      await empty('ada');
      const rest = await app.get('/v1/products?limit=100', { as: 'ada' });
      expectError(rest, { status: 429, code: 'rate_limited' });
      const graph = await app.graphql(PAGE, {}, { as: 'ada' });
      expect(graph.status).toBe(429);
      expect(codesOf(graph)).toEqual(['rate_limited']);
      expect(app.statements).toEqual([]);

      const seconds = Number(graph.headers.get('retry-after'));
      expect(Number(rest.headers.get('retry-after'))).toBe(seconds);
      expect(graph.body.errors?.[0]?.extensions.retryAfter).toBe(seconds);
      expect(seconds).toBeGreaterThan(5);
      app.clock.advance((seconds - 1) * 1000);
      expect((await app.graphql(PAGE, {}, { as: 'ada' })).status).toBe(429);
      app.clock.advance(1000);
      expect((await app.graphql(PAGE, {}, { as: 'ada' })).status).toBe(200);
    });

    test('other users and organisations are not affected', async () => {
      await empty('ada');
      for (const other of ['ed', 'gil'] as const) {
        const response = await app.get('/v1/products', { as: other });
        expect(response.status).toBe(200);
        expect(remaining(response)).toBeGreaterThan(POINTS - 50);
      }
    });

    test('an API key has its own budget', async () => {
      const body = { name: 'ci', scopes: ['read:orders'] };
      const { key } = (await app.post<{ key: string }>('/v1/api-keys', { as: 'ada', body })).body;
      await empty('ada');
      const headers = { authorization: `ApiKey ${key}` };
      expect((await app.get('/v1/orders/7', { headers })).status).toBe(200);
    });

    test('an anonymous client uses the budget of its address, separate from authenticated callers', async () => {
      for (let turn = 0; turn < POINTS; turn += 1) {
        const response = await app.get('/v1/orders/7');
        if (response.status === 429) break;
        expect(response.status).toBe(401);
      }
      expectError(await app.get('/v1/orders/7'), { status: 429, code: 'rate_limited' });
      expectError(await app.get('/v1/orders/7', { headers: { authorization: 'Bearer nonsense' } }), {
        status: 429,
        code: 'rate_limited',
      });
      expect((await app.graphql('{ nope }')).status).toBe(429);
      expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
    });

    test('health checks and pages cost nothing', async () => {
      for (const path of ['/healthz', '/readyz', '/.well-known/jwks.json', '/images/user-1.svg']) {
        expect((await app.get(path)).headers.get('ratelimit')).toBeNull();
      }
    });
  });

  test('simultaneous requests of several callers spend at most one full budget per caller', async () => {
    // Their tokens must last for this test, which does not sign in again.
    app.signOutAll();
    const signedIn = await Promise.all((['ada', 'ed', 'vic'] as const).map((name) => app.signIn(name)));
    const callers = [undefined, ...signedIn.map(({ token }) => token)];
    app.clock.advance((POINTS / PER_SECOND) * 1000);
    // The document is cached by then.
    await sendTogether([signedIn[0]?.token], '/graphql?query={__schema{x:__typename}}', '127.0.0.9');
    app.clock.advance((POINTS / PER_SECOND) * 1000);
    for (const stranger of ['127.0.0.10', '127.0.0.11', '127.0.0.12']) {
      // New callers evict the oldest budgets.
      await sendTogether([undefined], '/graphql?query={__typename}', stranger);
      const tokens = Array.from({ length: 240 }, (_, index) => callers[index % callers.length]);
      const statuses = await sendTogether(tokens, '/graphql?query={__schema{x:__typename}}');
      expect(statuses).toHaveLength(tokens.length);
      for (const which of callers.keys()) {
        const own = statuses.filter((_, index) => index % callers.length === which);
        expect(own.filter((status) => status === 200)).toHaveLength(POINTS / LIMITS.schemaWeight);
      }
      app.clock.advance((POINTS / PER_SECOND) * 1000);
    }
  });

  test('pays for the rows that a page examines and omits', async () => {
    for (let count = 0; count < 12; count += 1) await makeCharge(app);
    for (const [path, points] of [
      ['/v1/orders?currency=ISK', 60 / LIMITS.ordersSkippedPerPoint],
      ['/v2/charges?status=failed', 12 / LIMITS.rowsSkippedPerPoint],
    ] as const) {
      for (const limit of [1, 50]) {
        app.clock.advance((POINTS / PER_SECOND) * 1000);
        const page = await app.get<{ data: unknown[] }>(`${path}&limit=${limit}`, { as: 'ada' });
        expect(page.body.data, page.text).toEqual([]);
        expect(POINTS - remaining(page), path).toBe(1 + Math.floor(points));
      }
    }
  });
});
