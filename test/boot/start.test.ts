import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';

const servers = manageServers();

/** The maximum duration of a server start, in starts of Node alone: 25 of them, however busy the machine is. */
const BARE_STARTS = 100;

const LEFT = { code: 0, signal: null };

type Server = Pick<ServerProcess, 'url'>;

const landingPage = async ({ url }: Server) => (await fetch(url)).text();

describe('a first start in an empty folder', () => {
  test('creates everything it needs with demo data, on a port chosen by the system, and sends no telemetry to library vendors', async () => {
    const directory = await servers.directory();
    const launched = performance.now();
    // Variables of libraries are not settings of this server: with this one, Apollo Server would require a key.
    const env = { APOLLO_SCHEMA_REPORTING: 'true', PORT: '0' };
    const first = await servers.launch({ directory, env, fromSource: true });
    const starting = urlInGreeting(first);
    const bareStart = await slowestBareStart(starting);
    const server = { url: await starting };
    const took = performance.now() - launched;
    expect(took).toBeLessThan(BARE_STARTS * bareStart);

    expect((await readdir(join(directory, 'data'))).sort()).toEqual(
      expect.arrayContaining(['keys.json', 'portico.db']),
    );
    const { mode } = await stat(join(directory, 'data/keys.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(first.stdout).toContain(`${server.url}/graphql`);
    expect(first.stdout).toContain('data/portico.db');
    expect(first.stdout).toContain(`curl -s ${server.url}/v1/auth/login`);
    expect(first.stdout).not.toContain('localhost:0/');
    expect(first.stderr).toBe('');
    await expectDemo(server);
    expect(await landingPage(server)).toContain('data-demo');
    // A token is valid only with the address of its issuer.
    const ada = await signIn(server, 'ada@acme.test');
    expect(await send(server, ada, 'GET', '/v1/users/1')).toMatchObject({
      avatar_url: `${server.url}/images/user-1.svg`,
    });
    await expectHints(server, true);

    // In production, with the same data.
    await copyFile(join(directory, 'data/keys.json'), join(directory, 'keys.json'));
    const production = await servers.start({
      directory,
      env: { NODE_ENV: 'production', AUTH_KEYS_FILE: join(directory, 'keys.json'), DEMO: '1' },
    });
    expect(production.stdout).not.toContain('portico-demo');
    await expectHints(production, false);
  });

  test('has no demo data if DEMO is 0', async () => {
    const server = await servers.start({ directory: await servers.directory(), env: { DEMO: '0' } });
    const refused = await signIn(server, 'ada@acme.test').catch((error: Error) => error.message);
    expect(refused).toBe('401');
    expect(server.stdout).not.toContain('portico-demo');
    expect(await landingPage(server)).not.toContain('data-demo');
  });
});

describeEachEngine(
  'on a database of an organisation',
  (engine) => {
    test('adds no demo data, and offers none', async () => {
      const place = await engine.create('migrated');
      await place.query("insert into organisations (id, name, created_at) values ('solo', 'Solo', 0)");
      const server = await servers.start({ env: { DATABASE_URL: place.url } });
      await waitUntil(() => server.stdout.includes('/console'), 'the greeting');
      expect(server.stdout).not.toContain('portico-demo');
      expect(await landingPage(server)).not.toContain('data-demo');
    });
  },
  'sqlite',
);

describeEachEngine('two processes that start together', (engine) => {
  engine.testConcurrent(
    'on one new database both start, it is filled once, and a later start adds nothing',
    async () => {
      const { url } = await engine.create('bare');
      const directory = await servers.directory();
      // Behind one address, as instances are.
      const env = { DATABASE_URL: url, PUBLIC_URL: 'http://portico.test' };
      const [one, other] = await Promise.all([
        servers.start({ directory, env }),
        servers.start({ directory, env }),
      ]);
      expect([one.stderr, other.stderr]).toEqual(['', '']);
      const token = await signIn(one, 'ada@acme.test');
      const placed = await send(one, token, 'POST', '/v1/users/1/orders', {
        items: [{ product_id: 1, qty: 3 }],
      });
      expect(placed).toMatchObject({ id: 66, total: 59.97, currency: 'USD' });
      expect(await send(other, token, 'GET', '/v1/orders/66')).toEqual(placed);
      await expectDemo(other, { ordersOfAda: 31 });
      expect(await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')])).toEqual([LEFT, LEFT]);

      // Both have read the data of the other one; what a later start finds does not depend on the engine.
      if (!runsAllCases(engine)) return;
      const later = await servers.start({ directory, env });
      // The keys are the same, so that existing sessions remain valid.
      expect(await send(later, token, 'GET', '/v1/orders/66')).toEqual(placed);
      await expectDemo(later, { ordersOfAda: 31 });
    },
  );
});

const HINTS = {
  field: { query: '{ ordr(id: 1) { id } }' },
  argument: { query: '{ order(idd: 1) { id } }' },
  'enum value': { query: '{ orders(userId: 1, status: pendin) { nodes { id } } }' },
  'member of a variable': {
    query: 'mutation($input: CreateOrderInput!) { createOrder(input: $input) { id } }',
    variables: { input: { userID: 1, items: [] } },
  },
  'enum value of a variable': {
    query: 'query($status: OrderStatus) { orders(userId: 1, status: $status) { nodes { id } } }',
    variables: { status: 'pendin' },
  },
};

/** Tests whether a server names similar parts of the schema, and describes it. */
async function expectHints(server: Server, isTold: boolean): Promise<void> {
  const token = await signIn(server, 'ada@acme.test');
  for (const [what, body] of Object.entries(HINTS)) {
    const answer = JSON.stringify(await send(server, token, 'POST', '/graphql', body));
    expect(answer, what).toContain('"errors"');
    if (isTold) expect(answer, what).toContain('Did you mean');
    else expect(answer, what).not.toContain('Did you mean');
  }
  const introspection = await send(server, token, 'POST', '/graphql', {
    query: '{ __schema { queryType { name } } __type(name: "Order") { name } }',
  });
  if (isTold) expect(introspection).toMatchObject({ data: { __type: { name: 'Order' } } });
  else {
    expect(introspection).not.toHaveProperty('data');
    expect(introspection).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ extensions: { code: 'graphql_validation_failed' } }),
      ]),
    });
  }
  expect(await send(server, token, 'POST', '/graphql', { query: '{ __typename }' })).toMatchObject({
    data: { __typename: 'Query' },
  });
}

/** Resolves with the URL that a server on a port chosen by the system prints, once it does. */
async function urlInGreeting(server: ServerProcess): Promise<string> {
  const url = () => /Portico +(http:\/\/localhost:(?!0\b)\d+)/.exec(server.stdout)?.[1];
  await waitUntil(() => url() !== undefined, 'the greeting').catch((error: Error) => {
    throw new Error(`${error.message}\n${server.stdout}${server.stderr}`);
  });
  return url() ?? '';
}

/** Milliseconds between two such starts. */
const REST = 1000;

/** Starts Node repeatedly while something else runs. @returns the longest start in milliseconds, with the delay of the pause after it. */
async function slowestBareStart(other: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void other.then(end, end);
  let slowest = 0;
  while (!isOver) {
    const began = performance.now();
    await once(spawn(process.execPath, ['-e', '0']), 'exit');
    // A pause, so that the measurement itself does not keep the machine busy.
    await sleep(REST);
    slowest = Math.max(slowest, performance.now() - began - REST);
  }
  return slowest;
}

type Json = Record<string, unknown>;

async function send(
  { url }: Server,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Json;
}

/** @throws Error with the status, if it is not 200. */
async function signIn({ url }: Server, email: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'portico-demo' }),
  });
  const answer = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(String(response.status));
  return String(answer['access_token']);
}

/** Tests what the design and the README promise of the demo data, as each of its users. */
async function expectDemo(server: Server, { ordersOfAda = 30 } = {}): Promise<void> {
  const me = '{ me { id org email role } products(first: 100) { nodes { id } } }';
  const people = [
    { id: '1', org: 'acme', email: 'ada@acme.test', role: 'admin', orders: ordersOfAda },
    { id: '2', org: 'acme', email: 'ed@acme.test', role: 'editor', orders: 20 },
    { id: '3', org: 'acme', email: 'vic@acme.test', role: 'viewer', orders: 10 },
    { id: '4', org: 'globex', email: 'gil@globex.test', role: 'admin', orders: 5 },
  ];
  for (const { orders, ...person } of people) {
    const token = await signIn(server, person.email);
    const products = person.org === 'acme' ? [1, 12] : [13, 15];
    expect(await send(server, token, 'POST', '/graphql', { query: me })).toMatchObject({
      data: { me: person, products: { nodes: idsFromTo(products[0] ?? 0, products[1] ?? 0) } },
    });
    expect(await send(server, token, 'GET', `/v1/users/${person.id}/orders`)).toMatchObject({
      pagination: { total: orders },
    });
  }
  const token = await signIn(server, 'ada@acme.test');
  expect(await send(server, token, 'GET', '/v1/products/1')).toMatchObject({
    id: 1,
    unit_price: 19.99,
    currency: 'USD',
  });
}

const idsFromTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: String(first + index) }));
