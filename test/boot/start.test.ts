import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { describeEachEngine } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';

const servers = manageServers();

/** The maximum duration of a server start, in starts of Node alone: 25 of them, however busy the machine is. */
const BARE_STARTS = 100;

const LEFT = { code: 0, signal: null };

const landingPage = async ({ url }: ServerProcess) => (await fetch(url)).text();

describe('a first start in an empty folder', () => {
  test('creates everything it needs with demo data, and sends no telemetry to library vendors', async () => {
    const directory = await servers.directory();
    const launched = performance.now();
    // Variables of libraries are not settings of this server: with this one, Apollo Server would require a key.
    const starting = servers.start({ directory, env: { APOLLO_SCHEMA_REPORTING: 'true' }, fromSource: true });
    const bareStart = await slowestBareStart(starting);
    const server = await starting;
    const took = performance.now() - launched;
    expect(took).toBeLessThan(BARE_STARTS * bareStart);

    expect((await readdir(join(directory, 'data'))).sort()).toEqual(
      expect.arrayContaining(['keys.json', 'portico.db']),
    );
    const { mode } = await stat(join(directory, 'data/keys.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(server.stdout).toContain(`http://localhost:${server.port}/graphql`);
    expect(server.stdout).toContain('data/portico.db');
    expect(server.stdout).toContain(`curl -s http://localhost:${server.port}/v1/auth/login`);
    expect(server.stderr).toBe('');
    await expectDemo(server);
    expect(await landingPage(server)).toContain('data-demo');
  });

  test('on a port chosen by the system reports the port and uses it in its responses', async () => {
    const server = await servers.launch({ env: { PORT: '0' } });
    const url = await vi.waitFor(
      () => {
        const found = /Portico +(http:\/\/localhost:(?!0\b)\d+)/.exec(server.stdout)?.[1];
        if (found === undefined) throw new Error(`The output lacks it: ${server.stdout}${server.stderr}`);
        return found;
      },
      { timeout: 60_000, interval: 20 },
    );
    expect(server.stdout).not.toContain('localhost:0/');
    const signIn = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@acme.test', password: 'portico-demo' }),
    });
    // A token is valid only with the address of its issuer.
    const { access_token } = (await signIn.json()) as { access_token: string };
    const me = await fetch(`${url}/v1/users/1`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await me.json()).toMatchObject({ avatar_url: `${url}/images/user-1.svg` });
  });

  test('has no demo data if DEMO is 0', async () => {
    const server = await servers.start({ env: { DEMO: '0' } });
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

      const later = await servers.start({ directory, env });
      // The keys are the same, so that existing sessions remain valid.
      expect(await send(later, token, 'GET', '/v1/orders/66')).toEqual(placed);
      await expectDemo(later, { ordersOfAda: 31 });
    },
  );
});

describe('in production', () => {
  const hints = {
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

  test('there is no demo data and no introspection', async () => {
    const directory = await servers.directory();
    const developer = await servers.start({ directory });
    const keys = join(directory, 'keys.json');
    await copyFile(join(directory, 'data/keys.json'), keys);
    const environment = { NODE_ENV: 'production', AUTH_KEYS_FILE: keys, DEMO: '1' };

    const fresh = await servers.start({ env: environment });
    await expect(signIn(fresh, 'ada@acme.test')).rejects.toThrow('401');
    expect(fresh.stdout).not.toContain('portico-demo');

    // A user who can sign in there, to see all messages.
    const production = await servers.start({ directory, env: environment });
    for (const [server, told] of [
      [developer, true],
      [production, false],
    ] as const) {
      const token = await signIn(server, 'ada@acme.test');
      for (const [what, body] of Object.entries(hints)) {
        const answer = JSON.stringify(await send(server, token, 'POST', '/graphql', body));
        expect(answer, what).toContain('"errors"');
        if (told) expect(answer, what).toContain('Did you mean');
        else expect(answer, what).not.toContain('Did you mean');
      }
      const introspection = await send(server, token, 'POST', '/graphql', {
        query: '{ __schema { queryType { name } } __type(name: "Order") { name } }',
      });
      if (told) expect(introspection).toMatchObject({ data: { __type: { name: 'Order' } } });
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
  });
});

/** Milliseconds between two such starts. */
const REST = 200;

/** Starts Node repeatedly while something else runs. @returns the longest start in milliseconds. */
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
    slowest = Math.max(slowest, performance.now() - began);
    // A pause, so that the measurement itself does not keep the machine busy.
    await sleep(REST);
  }
  return slowest;
}

type Json = Record<string, unknown>;

async function send(
  { url }: ServerProcess,
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
async function signIn({ url }: ServerProcess, email: string): Promise<string> {
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
async function expectDemo(server: ServerProcess, { ordersOfAda = 30 } = {}): Promise<void> {
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
