import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/core/errors.ts';
import {
  EXPORT_OUTCOMES,
  MAIL_OUTCOMES,
  REFUSALS,
  SHED_CAUSES,
  UNKNOWN_OPERATION,
  WEBHOOK_OUTCOMES,
} from '../../src/observability/metrics.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { CounterTally, HistogramTally } from '../../src/observability/tallies.ts';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type Family, readMetrics, sumOf } from '../support/metrics.ts';
import { operations } from '../support/openapi.ts';
import { freePort, manageServers } from '../support/process.ts';
import { exchange } from '../support/raw-clients.ts';
import { labelValues, problemsOf } from './metrics-lint.ts';

const servers = manageServers();

const oneOf = (...values: readonly string[]) => {
  const known = new Set(values);
  return (value: string) => known.has(value);
};

/** The possible values of each label, all from the code, the schema and the operation documents. */
const isKnown: Readonly<Record<string, (value: string) => boolean>> = {
  method: oneOf(...METHODS),
  route: oneOf(
    'none',
    '/assets/:folder/:name',
    ...operations.map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')),
  ),
  operation: oneOf('none', UNKNOWN_OPERATION, ...routes.map(({ document }) => document.name)),
  status: oneOf(
    '200',
    '201',
    '204',
    '301',
    '304',
    ...Object.values(CATALOGUE).map((entry) => `${entry.status}`),
  ),
  door: oneOf('rest', 'graphql', 'websocket', 'sse', 'mcp'),
  type: oneOf('query', 'mutation', 'subscription', 'none'),
  code: oneOf('ok', ...Object.keys(CATALOGUE)),
  refusal: oneOf(...REFUSALS, 'overload'),
  cause: oneOf(...SHED_CAUSES),
  outcome: oneOf(...WEBHOOK_OUTCOMES, ...MAIL_OUTCOMES, ...EXPORT_OUTCOMES),
  what: oneOf(...routes.filter(({ deprecation }) => deprecation).map(routeName)),
  client: oneOf('user', 'api_key', 'operator', 'anonymous'),
  reader: oneOf('streams', 'webhooks'),
  // As in `statement('orders.byId', …)`, without the number of rows that `statementPerSize` adds.
  statement: (value) => /^[a-z]+(\.[a-z]+)+$/i.test(value),
  state: oneOf('in_use', 'idle', 'waiting'),
  kind: oneOf('certificate', 'authority', 'revocations'),
  le: (value) => value === '+Inf' || Number.isFinite(Number(value)),
};

describeEachEngine('metrics', (engine) => {
  const app = startApp(engine);
  const read = async (): Promise<Family[]> => readMetrics((await app.get('/metrics')).text);

  test('are public, in the format of Prometheus', async () => {
    const { status, headers, text } = await app.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(problemsOf(text)).toEqual([]);
  });

  test('count requests by route template, operation and status', async () => {
    const order = { method: 'GET', route: '/v1/orders/:order_id', operation: 'GetOrder' };
    const before = await read();
    for (const id of [1, 2, 3]) await app.get(`/v1/orders/${id}`, { as: 'ada' });
    await app.get('/v1/orders/99999', { as: 'ada' });
    await app.get('/v1/orders/1');
    const after = await read();
    const gained = (status: string) =>
      sumOf(after, 'portico_http_requests_total', { ...order, status }) -
      sumOf(before, 'portico_http_requests_total', { ...order, status });
    expect([gained('200'), gained('404'), gained('401')]).toEqual([3, 1, 1]);
    const timed = 'portico_http_request_duration_seconds';
    const labels = { method: 'GET', route: order.route };
    expect(sumOf(after, `${timed}_count`, labels) - sumOf(before, `${timed}_count`, labels)).toBe(5);
    expect(sumOf(after, `${timed}_sum`, labels)).toBeGreaterThan(0);
  });

  test.each(['/graphql?query={__typename}', '/v1/orders/1'])('count HEAD %s as HEAD', async (path) => {
    const heads = async () => sumOf(await read(), 'portico_http_requests_total', { method: 'HEAD' });
    const before = await heads();
    await app.request('HEAD', path, { as: 'ada' });
    expect(await heads()).toBe(before + 1);
  });

  test.each([
    ['query { user(id: 1) { name } }', { type: 'query', operation: 'other', code: 'ok' }],
    [
      'mutation { createOrder(input: { userId: 1, items: [] }) { id } }',
      { type: 'mutation', operation: 'other', code: 'empty_order' },
    ],
    [
      'query { user(id: 1) { nothing } }',
      { type: 'none', operation: 'other', code: 'graphql_validation_failed' },
    ],
    ['{', { type: 'none', operation: 'other', code: 'graphql_parse_failed' }],
    ['query GetOrder { order(id: 1) { id } }', { type: 'query', operation: 'GetOrder', code: 'ok' }],
  ])('count %s by outcome', async (document, labels) => {
    const before = sumOf(await read(), 'portico_graphql_operations_total', labels);
    await app.graphql(document, {}, { as: 'ada' });
    expect(sumOf(await read(), 'portico_graphql_operations_total', labels)).toBe(before + 1);
  });

  test('have no label whose values clients can choose', async () => {
    await stranger('erstens');
    const before = await read();
    for (const name of ['zweitens', 'drittens', 'viertens']) await stranger(name);
    const after = await read();
    const series = (families: readonly Family[]) =>
      families.flatMap(({ samples }) =>
        samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`),
      );
    expect(series(after)).toEqual(series(before));
    expect(labelValues(after, 'operation')).not.toContain('zweitens');
    expect(labelValues(after, 'route')).toEqual(expect.arrayContaining(['none', '/v1/orders/:order_id']));
    expect(JSON.stringify(after)).not.toMatch(/zweitens|drittens|viertens|acme|ada/);
  });

  test('have only labels with values known at the start', async () => {
    await stranger('fünftens');
    await app.post('/v1/charges', { as: 'ada', body: { amount: 100, source: 'tok_visa' } });
    const families = await read();
    const labels = new Set(
      families
        .filter(({ name }) => name.startsWith('portico_'))
        .flatMap(({ samples }) => samples.flatMap((sample) => Object.keys(sample.labels))),
    );
    for (const label of labels) {
      const unknown = labelValues(families, label).filter((value) => !isKnown[label]?.(value));
      expect(unknown, `values of ${label}`).toEqual([]);
    }
  });

  /** A client that sends arbitrary words wherever it can. */
  async function stranger(word: string): Promise<void> {
    await app.graphql(`query ${word} { user(id: 1) { name } }`, {}, { as: 'ada' });
    await app.get(`/v1/${word}`);
    await app.get(`/v1/orders/${word}?${word}=1`, { as: 'ada', headers: { 'x-request-id': word } });
    await app.get(`/v1/orders/${word.repeat(100)}`);
    await app.get(`/%${word}`);
    const socket = connect(app.port, '127.0.0.1');
    socket.end(`${word} / HTTP/1.1\r\nhost: x\r\n\r\n`);
    socket.resume();
    await once(socket, 'close');
  }

  test('show how busy the database connections are', async () => {
    // Opens a connection: the pool closes those that have been idle for long.
    await app.get('/v1/orders/1', { as: 'vic' });
    const families = await read();
    const ofState = (state: string) => sumOf(families, 'portico_db_connections', { state });
    expect(ofState('waiting')).toBe(0);
    expect(ofState('idle') + ofState('in_use')).toBeGreaterThan(0);
  });
});

describeEachEngine('statements', (engine) => {
  test('are timed by name, including failed ones', async () => {
    const metrics = createMetrics();
    const times: number[] = [];
    const place = await engine.create('migrated');
    const database = await place.open({
      timed: (name, seconds) => {
        times.push(seconds);
        metrics.statement(name, seconds);
      },
    });
    const { renameUser, users } = await import('../../src/db/queries/users.ts');
    await users.find(database, 'acme', 1);
    const change = { org: 'acme', id: 1, name: 'x', versions: null, now: new Date() };
    await database.transaction((tx) => renameUser(tx, change));
    const { insertEvent } = await import('../../src/db/queries/events.ts');
    const event = { org: 'nowhere', type: 'x', actorId: null, subjectType: 'x', subjectId: 1, data: {} };
    const refused = database.transaction((tx) => insertEvent(tx, { ...event, createdAt: new Date() }));
    await expect(refused).rejects.toThrow();
    await database.close();
    const families = readMetrics(await metrics.text());
    const count = (statement: string) =>
      sumOf(families, 'portico_db_statement_duration_seconds_count', { statement });
    expect([count('users.byId'), count('users.rename'), count('events.insert')]).toEqual([1, 1, 1]);
    for (const time of times) expect(time).toBeGreaterThan(0);
    const seconds = sumOf(families, 'portico_db_statement_duration_seconds_sum');
    expect(seconds).toBeCloseTo(
      times.reduce((sum, time) => sum + time, 0),
      5,
    );
  });
});

describe('a registry', () => {
  test.each([
    ['portico_refusals_total', 'refusal', [...REFUSALS, 'overload']],
    ['portico_shed_operations_total', 'cause', SHED_CAUSES],
    ['portico_exports_total', 'outcome', EXPORT_OUTCOMES],
    ['portico_webhook_attempts_total', 'outcome', WEBHOOK_OUTCOMES],
    ['portico_mails_total', 'outcome', MAIL_OUTCOMES],
  ])('has %s of 0 for each %s before the first, so that rate() sees it', async (metric, label, values) => {
    const family = readMetrics(await createMetrics().text()).find(({ name }) => name === metric);
    expect(family?.samples.map(({ labels, value }) => [labels[label], value])).toEqual(
      values.map((value) => [value, 0]),
    );
  });

  test('belongs to one application: two in a process count separately', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.webhookAttempt('delivered', 0.1);
    one.refused('points');
    expect(sumOf(readMetrics(await one.text()), 'portico_webhook_attempts_total')).toBe(1);
    expect(sumOf(readMetrics(await other.text()), 'portico_webhook_attempts_total')).toBe(0);
  });

  test('counts a stream as open until it ends, once', async () => {
    const metrics = createMetrics();
    const openNow = async () => sumOf(readMetrics(await metrics.text()), 'portico_subscriptions_open');
    const ends = [metrics.subscriptionOpened('websocket'), metrics.subscriptionOpened('sse')];
    expect(await openNow()).toBe(2);
    ends[0]?.();
    ends[0]?.();
    expect(await openNow()).toBe(1);
  });

  test('counts statements of any number of rows as one', async () => {
    const metrics = createMetrics();
    for (let rows = 1; rows <= 100; rows += 1) metrics.statement(`orderItems.insert.${rows}`, 1);
    expect(labelValues(readMetrics(await metrics.text()), 'statement')).toEqual(['orderItems.insert']);
  });

  test('of a process include its memory and its event loop', async () => {
    const text = await createMetrics({ process: true }).text();
    expect(problemsOf(text)).toEqual([]);
    const names = readMetrics(text).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']),
    );
  });
});

describe('the setting METRICS', () => {
  const statusOf = async (url: string, path: string) => (await fetch(url + path)).status;

  test('serves them on a separate port, and nothing else there, without the list of network interfaces, which a sandbox may deny', async () => {
    const deny = `import os from 'node:os'; os.networkInterfaces = () => { throw new Error('denied'); };`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(deny)}`;
    const port = await freePort();
    const server = await servers.start({ env: { METRICS: String(port), HOST: '0.0.0.0', NODE_OPTIONS } });
    const own = `http://127.0.0.1:${port}`;
    const text = await (await fetch(`${own}/metrics`)).text();
    expect(readMetrics(text).map(({ name }) => name)).toContain('nodejs_eventloop_lag_seconds');
    expect(problemsOf(text)).toEqual([]);
    expect([await statusOf(own, '/v1/orders/1'), await statusOf(server.url, '/metrics')]).toEqual([404, 404]);
    const request = ['GET /metrics HTTP/1.1', 'Host: localhost', 'Expect: 200-ok', 'Connection: close'];
    expect((await exchange(port, request)).status).toBe(200);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('disables them', async () => {
    const server = await servers.start({ env: { METRICS: 'off' } });
    expect([await statusOf(server.url, '/metrics'), await statusOf(server.url, '/healthz')]).toEqual([
      404, 200,
    ]);
  });
});

describe('counters of every request', () => {
  test('are written in the Prometheus format, whatever a label contains', async () => {
    const counter = new CounterTally({ name: 'x_total', help: 'Some.', labelNames: ['a', 'b'] });
    counter.add('one', ['say "x"\\', 'two\nlines']);
    counter.add('one', ['say "x"\\', 'two\nlines']);
    expect(counter.text()).toBe(
      '# HELP x_total Some.\n# TYPE x_total counter\nx_total{a="say \\"x\\"\\\\",b="two\\nlines"} 2\n',
    );
    expect(readMetrics(counter.text())[0]?.samples[0]?.value).toBe(2);
  });

  test('are counted in the first matching bucket and all later ones', () => {
    const histogram = new HistogramTally({ name: 'x_seconds', help: 'Some.', labelNames: ['a'] }, [1, 2]);
    for (const value of [0, 1, 1.5, 2, 3]) histogram.observe('k', ['v'], value);
    expect(histogram.text().split('\n').slice(2, -1)).toEqual([
      'x_seconds_bucket{a="v",le="1"} 2',
      'x_seconds_bucket{a="v",le="2"} 4',
      'x_seconds_bucket{a="v",le="+Inf"} 5',
      'x_seconds_sum{a="v"} 7.5',
      'x_seconds_count{a="v"} 5',
    ]);
  });
});
