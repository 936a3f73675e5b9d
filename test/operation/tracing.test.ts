import { expect, test } from 'vitest';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { freePort, manageServers, type ServerProcess } from '../support/process.ts';
import { type Collector, startCollector } from './trace-collector.ts';

// Starts processes, which is slow on a shared machine.
const servers = manageServers();

/** The trace of a caller: the example of the W3C recommendation. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

async function start(engine: TestEngine, env: Record<string, string>): Promise<[ServerProcess, string]> {
  const place = await engine.create('demo');
  const server = await servers.start({ env: { DATABASE_URL: place.url, ...env } });
  const credentials = { email: 'ada@acme.test', password: 'portico-demo' };
  const { body } = await send(server, 'POST', '/v1/auth/login', credentials);
  return [server, String(body['access_token'])];
}

async function send(
  { url }: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** All different paths from the root of a trace to its leaves. */
function pathsOf(collector: Collector, traceId: string): string[] {
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const ends = spans.filter(({ spanId }) => !spans.some(({ parentSpanId }) => parentSpanId === spanId));
  return [...new Set(ends.map((span) => collector.pathOf(span).join(' > ')))].sort();
}

describeEachEngine('a trace', (engine) => {
  engine.testConcurrent(
    'leads from the route to the statement, continues the caller’s, and names the failed span',
    async () => {
      const collector = await startCollector();
      const [server, token] = await start(engine, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
      const as = { authorization: `Bearer ${token}`, traceparent: TRACEPARENT };
      const placed = await send(
        server,
        'POST',
        '/v1/users/1/orders',
        { items: [{ product_id: 1, qty: 1 }] },
        as,
      );
      expect(placed.status).toBe(201);
      const query = 'query Mine { user(id: 1) { orders(last: 2) { items { id } } } }';
      const other = TRACE.replace(/^4/, '5');
      const asked = await send(
        server,
        'POST',
        '/graphql',
        { query },
        {
          ...as,
          traceparent: TRACEPARENT.replace(TRACE, other),
        },
      );
      expect(asked.status).toBe(200);
      expect((await send(server, 'GET', '/v1/orders/9999999', undefined, as)).status).toBe(404);
      await send(server, 'PATCH', '/v1/orders/1', { status: 'shipped' }, as);
      expect((await send(server, 'PATCH', '/v1/orders/1', { status: 'cancelled' }, as)).status).toBe(409);
      // Pending spans are sent when the server stops.
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });

      expect([...collector.services]).toEqual(['portico']);
      const rest = pathsOf(collector, TRACE);
      const way = 'POST /v1/users/:user_id/orders > CreateOrder > Mutation.createOrder > transaction > ';
      expect(rest).toEqual(
        expect.arrayContaining([`${way}orders.insert`, `${way}events.insert_while_person`]),
      );
      expect(rest).toContain('GET /v1/orders/:order_id > GetOrder > Query.order > orders.orgOf');
      const graph = pathsOf(collector, other);
      expect(graph).toContain('POST /graphql > Mine > Query.user > users.byId');
      // Authentication reads changes of rights if it has not done so for a second.
      const others = graph.filter((path) => !path.startsWith('POST /graphql > Mine > '));
      expect(others.filter((path) => !path.startsWith('POST /graphql > standing.'))).toEqual([]);

      const route = collector.spans.find(({ name }) => name === 'POST /v1/users/:user_id/orders');
      expect(route).toMatchObject({
        parentSpanId: PARENT,
        kind: 2,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/users/:user_id/orders',
          'http.response.status_code': '201',
        },
      });
      const failed = collector.spans.filter(({ status }) => status?.code === 2);
      expect(failed.map(({ name, status }) => [name, status?.message])).toContainEqual([
        'transaction',
        'invalid_transition',
      ]);
      for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans) {
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      }
      // No parameter, token or address: a trace shows what was done, and the log by whom.
      expect(JSON.stringify(collector.spans)).not.toMatch(/ada@acme|portico-demo|Bearer|eyJ/);
    },
  );
});

// The engine makes no difference to reports.
describeEachEngine(
  'traces',
  (engine) => {
    test('that no collector accepts delay nothing', async () => {
      const nowhere = `http://127.0.0.1:${await freePort()}`;
      const [server, token] = await start(engine, { OTEL_EXPORTER_OTLP_ENDPOINT: nowhere });
      const { status } = await send(server, 'GET', '/v1/orders/1', undefined, {
        authorization: `Bearer ${token}`,
      });
      expect(status).toBe(200);
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(server.stdout).toContain('traces could not be sent');
    });

    test('are sampled as configured, unless the caller samples one', async () => {
      const collector = await startCollector();
      const [server, token] = await start(engine, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_SERVICE_NAME: 'portico-test',
        OTEL_TRACES_SAMPLER_ARG: '0',
      });
      const as = { authorization: `Bearer ${token}` };
      await send(server, 'GET', '/v1/orders/1', undefined, as);
      await send(server, 'GET', '/v1/orders/2', undefined, { ...as, traceparent: TRACEPARENT });
      await server.end('SIGTERM');
      expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
      expect([...collector.services]).toEqual(['portico-test']);
    });
  },
  'sqlite',
);

/** Makes a process write the URL of every module that it loads. */
const TELLS_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stderr.write(url + '\\n');
      return next(url, context);
    },
  });`)}`;

test('without an endpoint for traces, OpenTelemetry is not loaded', async () => {
  const server = await servers.start({
    env: { NODE_OPTIONS: `--import=${TELLS_MODULES}`, LOG_LEVEL: 'silent' },
    // In a bundle, modules have no names.
    fromSource: true,
  });
  // It responds before all of its output can be read.
  await server.end('SIGTERM');
  // prom-client needs only the types of a few functions without effects.
  const loaded = (name: string) => server.stderr.includes(name);
  expect([
    loaded('src/observability/metrics.ts'),
    loaded('src/observability/opentelemetry.ts'),
    loaded('sdk-trace'),
  ]).toEqual([true, false, false]);
});
