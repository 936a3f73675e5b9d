import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { DEFAULTS } from '../support/settings.ts';
import { block, blocked } from './blocking.ts';
import { type Answer, Connection, idOf, signIn, storedOrders } from './client.ts';

/**
 * The longest that a request may take in milliseconds, whatever happens to the database
 * (`LIMITS.statementTimeout`).
 */
const DEADLINE = 10_000;

const CLIENTS = 6;

/** How often all connections to the database are cut while clients keep sending requests. */
const CUTS = 3;

/** The server that all tests share, which must recover after each test, and the number of orders placed before. */
interface Scene {
  readonly place: TestDatabase;
  readonly server: ServerProcess;
  readonly client: Connection;
  readonly orders: number;
}

describeEachEngine('a database outage', (engine) => {
  const servers = manageServers(afterAll);
  let place: TestDatabase;
  let server: ServerProcess;
  let token = '';

  beforeAll(async () => {
    if (!engine.concurrent) return;
    place = await engine.create('demo');
    server = await servers.start({ env: { DATABASE_URL: place.url } });
    token = await signIn(server.url);
  });

  const scene = async (): Promise<Scene> => {
    const { length: orders } = await storedOrders(place);
    return { place, server, client: new Connection(server.url, token), orders };
  };
  if (engine.name === 'sqlite') suiteOnSqlite(engine, scene);
  else suiteOnPostgres(engine, scene);
});

function suiteOnSqlite(engine: TestEngine, scene: () => Promise<Scene>): void {
  engine.testConcurrent(
    'reads succeed while another process writes, and writes succeed once it has finished',
    async () => {
      const { place, client, orders } = await scene();
      const unblock = await block(engine, place);
      const order = client.placeOrder();
      const reader = client.beside();
      expect((await reader.send('GET', '/v1/orders/1')).status).toBe(200);
      expect((await reader.send('GET', '/readyz')).status).toBe(200);
      await unblock();
      expect((await order).status).toBe(201);
      expect((await storedOrders(place)).slice(orders)).toMatchObject([{ items: 2, announced: 1 }]);
    },
  );

  engine.testConcurrent(
    'writes are refused with Retry-After while another process holds the lock',
    async () => {
      const { place, client, orders } = await scene();
      const unblock = await block(engine, place);
      expectAskedBack(await client.placeOrder());
      await unblock();
      expect((await client.placeOrder()).status).toBe(201);
      expect(await storedOrders(place)).toHaveLength(orders + 1);
    },
  );
}

function suiteOnPostgres(engine: TestEngine, scene: () => Promise<Scene>): void {
  engine.testConcurrent('acknowledged orders survive when all connections are cut repeatedly', async () => {
    const { place, server, client } = await scene();
    const clients = Array.from({ length: CLIENTS }, () => new PersistentClient(client.beside()));
    const runs = clients.map((each) => each.run());
    for (let cut = 0; cut < CUTS; cut += 1) {
      expect(await cutConnections(place)).toBeGreaterThan(0);
      const served = clients.map((each) => each.served);
      await waitUntil(
        () => clients.every((each, index) => each.served > (served[index] ?? 0) + 2),
        'all clients to be served again',
      );
    }
    for (const each of clients) each.enough = true;
    await Promise.all(runs);

    expect(clients.flatMap(({ surprises }) => surprises)).toEqual([]);
    expect(Math.max(...clients.map(({ slowest }) => slowest))).toBeLessThan(DEADLINE);
    const stored = await storedOrders(place);
    const ids = new Set(stored.map(({ id }) => id));
    expect(clients.flatMap(({ placed }) => placed).filter((id) => !ids.has(id))).toEqual([]);
    expect(stored.filter(({ items, announced }) => items !== 2 || announced !== 1)).toEqual([]);
    expect(server.stderr).toBe('');
  });

  engine.testConcurrent(
    'a request whose connection is cut in a transaction is refused with Retry-After',
    async () => {
      const { place, server, client, orders } = await scene();
      const unblock = await block(engine, place);
      const order = client.placeOrder();
      const mutation = client.beside().send('POST', '/graphql', {
        query: 'mutation { createOrder(input: { userId: "1", items: [{ productId: "1", qty: 1 }] }) { id } }',
      });
      await blocked(engine, place, server, 2);
      await cutConnections(place);
      expectAskedBack(await order);
      expect(JSON.parse((await mutation).body)).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'unavailable', retryAfter: 1 } }],
      });
      await unblock();
      expect(await storedOrders(place)).toHaveLength(orders);
      expect((await client.placeOrder()).status).toBe(201);
    },
  );

  engine.testConcurrent('no request waits beyond the deadline while the database is stuck', async () => {
    const { place, server, client, orders } = await scene();
    const unblock = await block(engine, place);
    const stuck = Array.from({ length: DEFAULTS.database.pool }, () => client.beside().placeOrder());
    await blocked(engine, place, server, DEFAULTS.database.pool);
    const began = performance.now();
    // No connection is left for these.
    const [read, ready, alive] = await Promise.all([
      client.send('GET', '/v1/orders/1'),
      client.beside().send('GET', '/readyz'),
      client.beside().send('GET', '/healthz'),
    ]);
    expectAskedBack(read);
    expect(ready.status).toBe(503);
    expect(alive.status).toBe(200);
    for (const response of await Promise.all(stuck)) expectAskedBack(response, 'timeout');
    expect(performance.now() - began).toBeLessThan(2 * DEADLINE);
    await unblock();
    expect((await client.send('GET', '/readyz')).status).toBe(200);
    expect((await client.placeOrder()).status).toBe(201);
    expect(await storedOrders(place)).toHaveLength(orders + 1);
  });

  // The last test, because it drops the database.
  engine.testConcurrent(
    'every door returns 503 while the database refuses connections or is dropped, and recovers without a restart',
    async () => {
      const { place, server, client } = await scene();
      const name = nameOf(place);
      await onServer(place, `alter database ${name} with allow_connections false`);
      await cutConnections(place);
      await expectUnreachable(client);
      await onServer(place, `alter database ${name} with allow_connections true`);
      expect((await client.send('GET', '/readyz')).status).toBe(200);
      expect((await client.placeOrder()).status).toBe(201);

      await onServer(place, `drop database ${name} with (force)`);
      await expectUnreachable(client);
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );
}

function expectAskedBack({ status, headers, body }: Answer, code = 'unavailable'): void {
  expect(JSON.parse(body)).toMatchObject({ error: { code } });
  expect(status).toBe(503);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

/** Every door reports that the database is unreachable; only the liveness probe succeeds. */
async function expectUnreachable(client: Connection): Promise<void> {
  const ready = await client.send('GET', '/readyz');
  expect(ready.status).toBe(503);
  expect(JSON.parse(ready.body)).toEqual({
    status: 'not ready',
    checks: { database: 'unreachable', migrations: 'unknown', draining: 'no' },
    reasons: ['The database does not respond.'],
  });
  expect((await client.send('GET', '/healthz')).status).toBe(200);
  expectAskedBack(await client.send('GET', '/v1/orders/1'));
  expectAskedBack(await client.placeOrder());
  const { body } = await client.send('POST', '/graphql', { query: '{ me { id } }' });
  expect(JSON.parse(body)).toMatchObject({
    errors: [{ extensions: { code: 'unavailable', retryAfter: 1 } }],
  });
}

/** Keeps sending requests whatever the responses are, and records unexpected ones. */
class PersistentClient {
  readonly surprises: unknown[] = [];
  readonly placed: number[] = [];
  served = 0;
  /** The duration of the slowest request in milliseconds. */
  slowest = 0;
  enough = false;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.enough; turn += 1) {
      const began = performance.now();
      const writes = turn % 2 === 0;
      try {
        this.#note(
          await (writes ? this.#connection.placeOrder() : this.#connection.send('GET', '/v1/orders/1')),
          writes ? 201 : 200,
        );
      } catch (error) {
        this.surprises.push(error);
      }
      this.slowest = Math.max(this.slowest, performance.now() - began);
    }
    this.#connection.close();
  }

  #note(response: Answer, wanted: number): void {
    if (response.status === wanted) {
      this.served += 1;
      if (wanted === 201) this.placed.push(idOf(response));
    } else if (response.status !== 503 || response.headers['retry-after'] === undefined) {
      this.surprises.push(response);
    }
  }
}

/** @returns the number of the server's connections. */
async function cutConnections(place: TestDatabase): Promise<number> {
  const rows = await onServer(
    place,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${nameOf(place)}' and application_name = 'portico'`,
  );
  return rows.length;
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

/** Runs SQL on the database server, connected to another database. */
async function onServer({ url }: TestDatabase, sql: string): Promise<unknown[]> {
  const elsewhere = new URL(url);
  elsewhere.pathname = '/postgres';
  const client = new pg.Client({ connectionString: elsewhere.href });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
