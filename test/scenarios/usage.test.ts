/**
 * Usage of an organisation by day: operations with their errors and points, and deprecated parts with their
 * callers.
 */
import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { Usage } from '../../src/pipeline/usage.ts';
import { startApp } from '../support/app.ts';
import type { RequestOptions, Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey, withKey } from '../support/fixtures/api-keys.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';
import { SocketClient, subscribe } from '../support/raw-clients.ts';
import type { CursorPage } from '../support/response-bodies.ts';
import { membersOf } from '../support/test-doubles.ts';

const DAY = 86_400_000;

/** Headers that request an export. */
const CSV = { accept: 'text/csv' };

interface OperationUse {
  readonly day: string;
  readonly door: string;
  readonly operation: string | null;
  readonly requests: number;
  readonly errors: number;
  readonly points: number;
}

interface DeprecatedUse {
  readonly name: string;
  readonly actor_id: number;
  readonly credentials: { readonly kind: string; readonly id: number | null };
  readonly uses: number;
}

describeEachEngine('usage', (engine) => {
  const app = startApp(engine);

  async function list<Row>(path: string, as: Sender): Promise<readonly Row[]> {
    await app.usage.write();
    return (await app.get<CursorPage<Row>>(`${path}?limit=100`, { as })).body.data;
  }

  /** The uses of an operation on each day, newest first. */
  const usesOf = async (operation: string | null, as: Sender = 'ada') =>
    (await list<OperationUse>('/v1/operation-uses', as)).filter((use) => use.operation === operation);

  const deprecatedUses = async (as: Sender = 'ada') =>
    (await list<DeprecatedUse>('/v1/deprecated-uses', as)).map(
      ({ name, actor_id, credentials: { kind, id }, uses }) => [name, actor_id, kind, id, uses],
    );

  /** The part of a principal that usage records. */
  const principal = { org: 'acme', userId: 1, kind: 'user' } as Principal;
  const used = { door: 'graphql', at: app.clock(), isError: false, points: 1 } as const;

  test('of operations is counted by day and door, with errors and points', async () => {
    const { id } = await placeOrder(app);
    await placeOrder(app, TWO_LAMPS, { as: 'ed', userId: 2 });
    await app.post('/v1/users/1/orders', { as: 'ada', body: { items: [] } });
    const day = '2026-09-01T00:00:00.000Z';
    const [created] = await usesOf('CreateOrder');
    expect(created).toMatchObject({ day, door: 'rest', requests: 3, errors: 1 });
    const { cost } = await app.graphql(
      'query Named($id: ID!) { order(id: $id) { id } }',
      { id },
      { as: 'vic' },
    );
    await app.graphql('{ me { id } }', {}, { as: 'vic' });
    await app.graphql('query Named { order(id: 999999) { id } nothing }', {}, { as: 'vic' });
    expect(await usesOf('Named')).toEqual([
      expect.objectContaining({
        day,
        door: 'graphql',
        requests: 1,
        errors: 0,
        points: cost?.actualQueryCost,
      }),
    ]);
    // A refused document has no operation, and so no name.
    expect(await usesOf(null)).toEqual([expect.objectContaining({ requests: 2, errors: 1 })]);

    app.clock.advance(DAY);
    app.signOutAll();
    await placeOrder(app);
    const days = (await usesOf('CreateOrder')).map(({ day, requests }) => [day, requests]);
    expect(days).toEqual([
      ['2026-09-02T00:00:00.000Z', 1],
      [day, 3],
    ]);
  });

  /** Requests with an error, before or after their operation runs. */
  const REFUSED: readonly [string, string, string, string, RequestOptions, number][] = [
    ['a body that is not JSON', 'PATCH', '/v1/users/1', 'UpdateUser', { text: '{' }, 400],
    [
      'a body that repeats a member',
      'PATCH',
      '/v1/users/1',
      'UpdateUser',
      { text: '{"name":"A","name":"B"}' },
      400,
    ],
    [
      'a body of another type',
      'PATCH',
      '/v1/users/1',
      'UpdateUser',
      { text: 'x', headers: { 'content-type': 'text/plain' } },
      415,
    ],
    [
      'an encoded body',
      'PATCH',
      '/v1/users/1',
      'UpdateUser',
      { body: {}, headers: { 'content-encoding': 'gzip' } },
      415,
    ],
    [
      'a body that is too large',
      'PATCH',
      '/v1/users/1',
      'UpdateUser',
      { text: `"${'x'.repeat(300_000)}"` },
      413,
    ],
    ['an unknown parameter', 'GET', '/v1/users/1?x=1', 'GetUser', {}, 400],
    ['an invalid body', 'PATCH', '/v1/users/1', 'UpdateUser', { body: { name: 1 } }, 422],
    ['a malformed condition', 'GET', '/v1/users/1', 'GetUser', { headers: { 'if-match': 'x' } }, 400],
    [
      'a failed condition of a read',
      'GET',
      '/v1/users/1',
      'GetUser',
      { headers: { 'if-match': '"v99"' } },
      412,
    ],
    [
      'a failed condition of a change',
      'PATCH',
      '/v1/users/1',
      'UpdateUser',
      { body: { name: 'A' }, headers: { 'if-match': '"v99"' } },
      412,
    ],
    ['a missing row', 'GET', '/v1/users/999999', 'GetUser', {}, 404],
    ['a row of another organisation', 'GET', '/v1/users/4', 'GetUser', {}, 403],
    ['a page that does not exist', 'GET', '/v1/orders?cursor=x', 'ListOrders', {}, 400],
    ['an invalid export', 'GET', '/v1/orders?x=1', 'ListOrders', { headers: CSV }, 400],
    [
      'an export about a missing row',
      'GET',
      '/v2/charges/999999/refunds',
      'ListRefunds',
      { headers: CSV },
      404,
    ],
    [
      'a failed condition of an export',
      'GET',
      '/v1/orders',
      'ListOrders',
      { headers: { ...CSV, 'if-match': '"v1"' } },
      412,
    ],
    [
      'a malformed condition of an export',
      'GET',
      '/v1/orders',
      'ListOrders',
      { headers: { ...CSV, 'if-match': 'x' } },
      400,
    ],
  ];

  test.each(REFUSED)(
    'of %s counts as one request with an error',
    async (_, method, path, name, options, status) => {
      const counted = async () => {
        const [{ requests, errors } = { requests: 0, errors: 0 }] = await usesOf(name);
        const lines = (await app.services.metrics.text()).split('\n');
        const metrics = lines.filter(
          (line) =>
            line.startsWith('portico_graphql_operations_total') &&
            line.includes(`operation="${name}"`) &&
            !line.includes('code="ok"'),
        );
        return {
          requests,
          errors,
          failed: metrics.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
        };
      };
      const before = await counted();
      const response = await app.request(method, path, { as: 'ada', ...options });
      expect(response.status, response.text).toBe(status);
      await expect.poll(counted).toEqual({
        requests: before.requests + 1,
        errors: before.errors + 1,
        failed: before.failed + 1,
      });
    },
  );

  test('of an export is one request, with the points of all its pages', async () => {
    const before = await usesOf('ListOrders');
    const { text, status } = await app.get('/v1/orders', { as: 'ada', headers: { accept: 'text/csv' } });
    const rows = text.trim().split('\n').length - 1;
    expect(status).toBe(200);
    expect(rows).toBeGreaterThan(2 * LIMITS.exportPage);
    const { requests = 0, errors = 0, points = 0 } = before[0] ?? {};
    expect((await usesOf('ListOrders'))[0]).toMatchObject({
      requests: requests + 1,
      errors,
      points: points + rows,
    });
  });

  test('of a change whose condition requires a read is one request, with the points of both', async () => {
    const { id } = await placeOrder(app);
    const before = [await usesOf('GetOrder'), await usesOf('UpdateOrder')];
    const spent = async (headers: Record<string, string>, body: object) => {
      const left = ({ headers: own }: { headers: Headers }) =>
        Number(/r=(\d+)/.exec(own.get('ratelimit') ?? '')?.[1]);
      const first = left(await app.get('/v1/me', { as: 'ada' }));
      return first - left(await app.patch(`/v1/orders/${id}`, { as: 'ada', headers, body }));
    };
    const points = await spent({ 'if-none-match': '"v99"' }, { status: 'cancelled' });
    expect(await usesOf('GetOrder')).toEqual(before[0]);
    const { requests = 0, errors = 0, points: earlier = 0 } = before[1]?.[0] ?? {};
    expect((await usesOf('UpdateOrder'))[0]).toMatchObject({
      requests: requests + 1,
      errors,
      points: earlier + points,
    });
  });

  test('of a change that is refused by the read for its condition is one request with an error', async () => {
    const reads = await usesOf('GetUser');
    const [{ requests, errors } = { requests: 0, errors: 0 }] = await usesOf('UpdateUser');
    const conditional = { body: { name: 'A' }, headers: { 'if-none-match': '"v99"' } };
    expect((await app.patch('/v1/users/4', { as: 'ada', ...conditional })).status).toBe(403);
    expect(await usesOf('GetUser')).toEqual(reads);
    expect((await usesOf('UpdateUser'))[0]).toMatchObject({ requests: requests + 1, errors: errors + 1 });
  });

  test('of a subscription is one request, plus the points of each event sent', async () => {
    const { token } = await app.signIn('ada');
    const client = await new SocketClient(app.port).open({ accessToken: token });
    client.send(subscribe('1', 'subscription Following { activity { id } }'));
    const follow = (count: number) =>
      expect.poll(() => client.messages.filter(({ type }) => type === 'next').length).toBe(count);
    await expect
      .poll(() => usesOf('Following'))
      .toEqual([expect.objectContaining({ door: 'websocket', requests: 1 })]);
    const [atFirst] = await usesOf('Following');
    for (const count of [1, 2, 3]) {
      await placeOrder(app);
      await follow(count);
    }
    client.socket.close();
    const [after] = await usesOf('Following');
    const eventCost = 1;
    expect(after).toEqual({ ...atFirst, points: (atFirst?.points ?? 0) + 3 * eventCost });
  });

  test('of anonymous callers belongs to no organisation, and that of others to theirs', async () => {
    await app.graphql('query Anonymous { __typename }');
    await app.graphql('query Gil { me { id } }', {}, { as: 'gil' });
    expect(await usesOf('Anonymous')).toEqual([]);
    expect(await usesOf('Gil')).toEqual([]);
    expect(await usesOf('Gil', 'gil')).toHaveLength(1);
  });

  test('of deprecated parts names the caller', async () => {
    const { id } = await makeCharge(app);
    const key = await createKey(app, { scopes: ['read:charges'] });
    const path = `/v1/charges/${id}`;
    await app.get(path, { as: 'ada' });
    await app.get(path, { as: 'ada' });
    await app.get(path, withKey(key.key));
    const document = 'query ($id: ID!) { charge(id: $id) { minorAmount } }';
    await app.graphql(document, { id }, { as: 'ed' });
    const uses = [
      ['GET /v1/charges/{charge_id}', 1, 'session', null, 2],
      ['GET /v1/charges/{charge_id}', 1, 'api_key', key.id, 1],
      ['Charge.minorAmount', 2, 'session', null, 1],
    ];
    await expect.poll(() => deprecatedUses()).toEqual(expect.arrayContaining(uses));
    expect(await deprecatedUses('gil')).toEqual([]);
  });

  test('names a limited number of operations a day, and counts the others together', async () => {
    const usage = new Usage({ ...engine, clock: app.clock, onFailure: () => expect.unreachable() });
    const at = new Date(app.clock().getTime() + DAY);
    for (let number = 0; number < LIMITS.usageOperations + 20; number += 1)
      usage.noteOperation(principal, { ...used, at, name: `Bounded${number}` });
    await usage.write();
    const rows = await engine.place.query(
      `select operation, requests from operation_uses where operation like 'Bounded%' or operation = 'other'`,
    );
    expect(rows).toHaveLength(LIMITS.usageOperations);
    const other = rows.find(({ operation }) => operation === 'other');
    expect(Number(other?.['requests'])).toBe(21);
  });

  test('of deprecated parts has the latest time, whichever instance writes first', async () => {
    const [sooner, later] = [new Date('2026-09-01T10:00:00Z'), new Date('2026-09-01T11:00:00Z')];
    for (const time of [later, sooner]) {
      const usage = new Usage({ ...engine, clock: () => time, onFailure: () => expect.unreachable() });
      usage.noteDeprecated(principal, ['Out.ofOrder']);
      await usage.write();
    }
    const { data } = (
      await app.get<CursorPage<DeprecatedUse & { last_used_at: string }>>('/v1/deprecated-uses', {
        as: 'ada',
      })
    ).body;
    const [use] = data.filter(({ name }) => name === 'Out.ofOrder');
    expect(use).toMatchObject({ uses: 2, last_used_at: later.toISOString() });
  });

  test('is kept in memory while the database is unavailable', async () => {
    const failures: unknown[] = [];
    let isAway = true;
    const { database } = engine;
    const usage = new Usage({
      database: {
        ...membersOf(database),
        transaction: async (work) => {
          if (isAway) throw new Error('away');
          return database.transaction(work);
        },
      },
      clock: app.clock,
      onFailure: (error) => failures.push(error),
    });
    usage.noteOperation(principal, { ...used, name: 'Kept' });
    await usage.write();
    usage.noteOperation(principal, { ...used, name: 'Kept' });
    isAway = false;
    await usage.write();
    await usage.write();
    expect(failures).toEqual([new Error('away')]);
    const rows = await engine.place.query(`select requests from operation_uses where operation = 'Kept'`);
    expect(rows.map(({ requests }) => Number(requests))).toEqual([2]);
  });

  test('is counted once if the connection breaks during the commit', async () => {
    const failures: unknown[] = [];
    const { database } = engine;
    let calls = 0;
    const usage = new Usage({
      database: {
        ...membersOf(database),
        transaction: async (work) => {
          const result = await database.transaction(work);
          calls += 1;
          // The first attempt to write operations, and the first to write deprecated uses.
          if (calls === 1 || calls === 3) throw new ApiError('unavailable');
          return result;
        },
      },
      clock: app.clock,
      onFailure: (error) => failures.push(error),
    });
    for (let round = 0; round < 4; round += 1) {
      if (round < 2) usage.noteOperation(principal, { ...used, name: 'Once' });
      if (round === 0) usage.noteDeprecated(principal, ['Once.field']);
      await usage.write();
    }
    expect(failures).toHaveLength(2);
    const rows = await engine.place.query(
      `select requests as uses from operation_uses where operation = 'Once'
        union all select uses from deprecated_uses where name = 'Once.field'`,
    );
    expect(rows.map(({ uses }) => Number(uses))).toEqual([2, 1]);
  });

  test('of a removed organisation does not block that of others', async () => {
    const failures: unknown[] = [];
    const usage = new Usage({ ...engine, clock: app.clock, onFailure: (error) => failures.push(error) });
    for (const org of ['acme', 'gone', 'globex'])
      usage.noteOperation({ ...principal, org }, { ...used, name: 'Restored' });
    usage.noteDeprecated(principal, ['Restored.field']);
    await usage.write();
    await usage.write();
    expect(failures).toEqual([expect.objectContaining({ code: 'conflict' })]);
    const rows = await engine.place.query(
      `select org from operation_uses where operation = 'Restored'
        union all select org from deprecated_uses where name = 'Restored.field' order by org`,
    );
    expect(rows.map(({ org }) => org)).toEqual(['acme', 'acme', 'globex']);
  });
});
