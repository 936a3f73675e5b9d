/**
 * An overloaded server: it delays and rejects the callers that cause the load, through every door, and serves
 * others.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { DOCUMENT_DOORS, type DoorVisit } from '../support/graphql-doors.ts';
import { sendExample } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';
import { waitUntil } from '../support/process.ts';
import { membersOf, scriptedLoad } from '../support/test-doubles.ts';

// The scheduler does not know the engine.
describeOnSqlite('an overloaded server', (engine) => {
  const load = scriptedLoad();
  const app = startApp(engine, { scheduling: load.scheduling });
  const visits = new Map<string, DoorVisit>();
  beforeAll(async () => {
    for (const { name, open } of DOCUMENT_DOORS) visits.set(name, await open(app, 'ada'));
    load.overload();
  });
  afterAll(() => {
    for (const visit of visits.values()) visit.close();
  });

  const ask = (door: string) => visits.get(door)?.send({ query: '{ me { id } }' });

  test.each(DOCUMENT_DOORS)(
    'refuses operations over $name, which was open before',
    async ({ name, refusal }) => {
      app.forgetStatements();
      const reply = await ask(name);
      expect(reply?.closed).toBeUndefined();
      const extensions = { code: 'overloaded', retryAfter: expect.any(Number) };
      expect(reply?.body?.errors).toMatchObject([{ extensions }]);
      expect(reply?.status).toBe(refusal && 503);
      expect(app.statements).toEqual([]);
    },
  );

  test('returns 503 with Retry-After for a route, without charging points', async () => {
    const response = await app.get('/v1/orders/7', { as: 'ada' });
    expectError(response, { status: 503, code: 'overloaded' });
    expect(response.headers.get('retry-after')).toMatch(/^[123]$/);
    const [before, after] = [
      await app.get('/v1/orders/7', { as: 'ada' }),
      await app.get('/v1/orders/7', { as: 'ada' }),
    ];
    expect(after.headers.get('ratelimit')).toBe(before.headers.get('ratelimit'));
  });

  test('serves requests that are not operations', async () => {
    const own = operations.filter(({ operation }) => operation.tags?.includes('Server'));
    expect(own.length).toBeGreaterThan(6);
    for (const described of own) expect((await sendExample(app, described)).status, described.name).toBe(200);
    const landing = (await app.get('/')).text;
    const assets = [...landing.matchAll(/(?:href|src)="([\w./-]+)"/g)].map(([, url = '']) => `/${url}`);
    expect(assets.some((url) => url.includes('.css'))).toBe(true);
    for (const url of assets)
      expect((await app.get(url, { headers: { accept: 'text/html' } })).status, url).not.toBe(503);
  });

  test('logs a warning, and counts rejections by cause', async () => {
    const warnings = app.log.map((line) => JSON.parse(line)).filter(({ cause }) => cause !== undefined);
    expect(warnings[0]).toMatchObject({ level: 40, cause: 'queue_full', org: 'acme', operations: 1 });
    const { text } = await app.get('/metrics');
    expect(text).toMatch(/^portico_shed_operations_total\{cause="queue_full"\} \d+$/m);
  });

  test('accepts operations again afterwards', async () => {
    load.calm();
    for (const { name } of DOCUMENT_DOORS) expect((await ask(name))?.body?.data, name).toBeTruthy();
  });
});

/** A page of orders with all fields, close to the maximum cost of an operation. */
const EXPENSIVE = '{ orders(userId: 1, limit: 100) { nodes { id total items { id qty unitPrice } } } }';

// Nor does its share for each organisation.
describeOnSqlite('a busy organisation', (engine) => {
  let isHeld = false;
  let held: (() => void) | undefined;
  /** The organisations whose statements ran, in order. */
  const asked: (string | undefined)[] = [];
  const app = startApp(engine, {
    around: (database) => ({
      ...membersOf(database),
      run(statement, params, signal, flow) {
        asked.push(flow?.caller);
        return database.run(statement, params, signal, flow);
      },
    }),
    scheduling: {
      capacity: () => 20,
      // Operations that arrive while turns are held have to wait.
      nextTurn(turn) {
        if (isHeld) held = turn;
        else setImmediate(turn);
      },
    },
  });
  beforeAll(async () => {
    for (const person of ['ada', 'ed', 'gil'] as const) await app.signIn(person);
  });

  const waiting = async () =>
    Number(/^portico_operations_waiting (\d+)$/m.exec((await app.get('/metrics')).text)?.[1]);

  test('has its operations queued and rejected, while its neighbour is served next', async () => {
    isHeld = true;
    const order: string[] = [];
    const note = (name: string) => (response: { readonly status: number }) => {
      order.push(`${name} ${response.status}`);
    };
    const flood = Array.from({ length: 22 }, () =>
      app.graphql(EXPENSIVE, {}, { as: 'ada' }).then(note('ada')),
    );
    await waitUntil(async () => order.length === 2, 'two operations to be rejected');
    expect(order).toEqual(['ada 503', 'ada 503']);
    expect(await waiting()).toBe(20);
    const neighbour = app.get('/v1/orders/61', { as: 'gil' }).then(note('gil'));
    await waitUntil(async () => order.length === 3, 'one more to be rejected, for the neighbour');
    const colleague = app.get('/v1/orders/7', { as: 'ed' }).then(note('ed'));
    await waitUntil(async () => order.length === 4, 'and one for the colleague');
    expect(await waiting()).toBe(20);

    asked.length = 0;
    isHeld = false;
    held?.();
    await Promise.all([...flood, neighbour, colleague]);
    const starts = asked.filter((caller, index) => caller !== asked[index - 1]);
    expect(starts.slice(0, 4)).toEqual(['user:acme:1', 'user:globex:4', 'user:acme:2', 'user:acme:1']);
    expect(order.filter((each) => each === 'ada 503')).toHaveLength(4);
    expect(order).toContain('gil 200');
    expect(order).toContain('ed 200');
    expect(await waiting()).toBe(0);
  });
});

/** The requests that wait for a turn: an operation through each door that has no socket of its own, and all others that cost a turn. */
const WAITING: readonly (readonly [name: string, path: string, options: RequestInit])[] = [
  ['a route', '/v1/orders/7', {}],
  ...api.streamRoutes.map(
    ({ path }) => [`the stream of ${path}`, path, { headers: { accept: 'text/event-stream' } }] as const,
  ),
  ['a query', '/graphql', { method: 'POST', body: JSON.stringify({ query: '{ me { id } }' }) }],
  ['a stream of GraphQL', '/graphql?query={me{id}}', { headers: { accept: 'text/event-stream' } }],
  ['the reservation of a stream', '/graphql', { method: 'PUT' }],
  ['the end of an operation', '/graphql?operationId=1&token=none', { method: 'DELETE' }],
  [
    'the list of tools',
    '/mcp',
    { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
  ],
];

describeOnSqlite('a client that disconnects before its turn', (engine) => {
  const held: (() => void)[] = [];
  let isHeld = false;
  const app = startApp(engine, {
    scheduling: { nextTurn: (turn) => void (isHeld ? held.push(turn) : setImmediate(turn)) },
  });

  beforeAll(() => app.signIn('ada'));
  afterEach(() => {
    isHeld = false;
    for (const turn of held.splice(0)) turn();
  });

  const waiting = async () =>
    Number(/^portico_operations_waiting (\d+)$/m.exec((await app.get('/metrics')).text)?.[1]);

  test.each(WAITING)('%s: nothing is left in the queue', async (_name, path, options) => {
    const { token } = await app.signIn('ada');
    isHeld = true;
    const client = new AbortController();
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(options.body && { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const sent = fetch(app.url + path, { ...options, headers, signal: client.signal });
    const outcome = expect(sent).rejects.toThrow();
    await waitUntil(async () => (await waiting()) === 1, 'the request to wait');
    client.abort();
    await outcome;
    await waitUntil(async () => (await waiting()) === 0, 'the request to leave the queue');
  });
});
