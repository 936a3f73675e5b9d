/**
 * The steps of a new operator, in production and from an empty database, with only the command line and HTTP:
 * from the tables to an order that was paid, refunded and exported.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, type TestContext } from 'vitest';
import { describeEachEngine } from '../support/engines.ts';
import { startMailServer, tokenIn } from '../support/mail-server.ts';
import { bundled, freePort, manageServers, ROOT, SETTINGS } from '../support/process.ts';

const PRODUCTS = 2000;

const CLI = 'bin/portico.js';

/** Whether commands can run in a terminal, where they show a progress bar. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `portico` as a process. @param onTerminal whether it runs in a terminal, whose screen is its output. */
async function portico(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onTerminal = false,
): Promise<Ran> {
  const command = [process.execPath, bundled(CLI) ?? join(ROOT, CLI), ...args];
  const quoted = command.map((word) => `'${word}'`).join(' ');
  const [file = '', ...rest] = onTerminal ? ['script', '-qefc', quoted, '/dev/null'] : command;
  const child = spawn(file, rest, { env: { ...env, TERM: 'xterm' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

/** HTTP requests of one user, with JSON bodies and any response. */
function clientOf(url: string, token?: string) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${content}`);
    return content;
  };
  const json = async <Body>(...args: Parameters<typeof call>) => JSON.parse(await call(...args)) as Body;
  return { call, json };
}

type Client = ReturnType<typeof clientOf>;

async function signIn(url: string, email: string, password: string): Promise<Client> {
  const { access_token } = await clientOf(url).json<{ access_token: string }>('POST', '/v1/auth/login', {
    email,
    password,
  });
  return clientOf(url, access_token);
}

/** The lines of an export, without the last one, which marks it as complete. */
async function linesOf<Row>(client: Client, path: string): Promise<Row[]> {
  const lines = await client.call('GET', path, undefined, { accept: 'application/x-ndjson' });
  const rows = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.pop()).toEqual({ complete: true, rows: rows.length });
  return rows;
}

async function recordsOf(client: Client, path: string): Promise<Record<string, string>[]> {
  const csv = await client.call('GET', path, undefined, { accept: 'text/csv;end=line' });
  const end = csv.lastIndexOf('# complete: rows=');
  const records = parse(csv.slice(0, end), { columns: true }) as Record<string, string>[];
  expect(csv.slice(end)).toBe(`# complete: rows=${records.length}\r\n`);
  return records;
}

interface Charge {
  readonly id: number;
  readonly status: string;
  readonly amount_refunded: { readonly value: number };
}

describeEachEngine('in production, from an empty database', (engine) => {
  const servers = manageServers(afterAll);

  const walk = async (skip: TestContext['skip']) => {
    const place = await engine.create('bare');
    const directory = await servers.directory();
    const mail = await startMailServer();
    const port = String(await freePort());
    const env = {
      ...SETTINGS,
      NODE_ENV: 'production',
      DATABASE_URL: place.url,
      AUTH_KEYS_FILE: join(directory, 'keys.json'),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PORT: port,
      MAIL_URL: mail.url,
      // The defaults.
      RATE_LIMIT_POINTS: '',
      RATE_LIMIT_PER_SECOND: '',
    };
    const run = async (...args: string[]) => {
      const { code, out, err } = await portico(args, env);
      expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
      return out;
    };

    await run('keys', 'create');
    await run('migrate');
    await run('org', 'add', 'initech', '--name', 'Initech');
    const person = ['--email', 'bill@initech.test', '--name', 'Bill', '--role', 'admin'];
    const { password } = JSON.parse(await run('user', 'add', '--org', 'initech', ...person, '--json'));
    const file = join(directory, 'products.csv');
    const products = Array.from({ length: PRODUCTS }, (_, n) => `"Part, ${n}",${n % 100}.25,EUR`);
    await writeFile(file, ['name,unit_price,currency', ...products].join('\r\n'));
    const imported = await portico(['product', 'import', file, '--org', 'initech'], env, hasTerminals);
    expect(imported).toMatchObject({ code: 0, err: '' });
    expect(imported.out).toContain(`Added ${PRODUCTS} products to initech.`);
    if (hasTerminals) expect(imported.out).toMatch(new RegExp(`of ${PRODUCTS} products`));

    const server = await servers.start({ env, directory, program: [CLI, 'serve'] });
    const bill = await signIn(server.url, 'bill@initech.test', password);
    const invitation = { email: 'peter@initech.test', role: 'editor' };
    await bill.json('POST', '/v1/orgs/initech/invitations', invitation);
    await expect.poll(() => mail.received.length).toBe(1);
    const { to, source } = mail.received[0] ?? { to: [], source: '' };
    expect(to).toEqual(['peter@initech.test']);
    const token = tokenIn(source);
    const link = new RegExp(`http://127\\.0\\.0\\.1:${port}/\\S*${token}`).exec(
      source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='),
    );
    expect(await clientOf('').call('GET', link?.[0] ?? '')).toContain('<form');
    const accepted = { name: 'Peter', password: 'blue harbour lantern' };
    await clientOf(server.url).json('PUT', `/v1/auth/invitations/${token}`, accepted);

    const peter = await signIn(server.url, 'peter@initech.test', accepted.password);
    const me = await peter.json<{ data: { id: number; email: string }[] }>('GET', '/v1/orgs/initech/users');
    const { id: userId } = me.data.find(({ email }) => email === 'peter@initech.test') ?? { id: 0 };
    const page = await peter.json<{ data: { id: number; unit_price: number }[] }>(
      'GET',
      '/v1/products?limit=2',
    );
    const items = page.data.map(({ id }) => ({ product_id: id, qty: 4 }));
    const order = await peter.json<{ id: number; total: number }>('POST', `/v2/users/${userId}/orders`, {
      items,
    });
    expect(order.total).toBe((0.25 + 1.25) * 4);
    const amount = (value: number) => ({ value, currency: 'EUR' });
    const charged = await peter.json<Charge>(
      'POST',
      '/v2/charges',
      { amount: amount(order.total), source: 'tok_visa', order_id: order.id },
      { 'idempotency-key': 'charge-1' },
    );
    expect(charged.status).toBe('succeeded');
    const refund = (value: number, key: string) =>
      peter.json<Charge>(
        'POST',
        `/v2/charges/${charged.id}/refunds`,
        { amount: amount(value) },
        { 'idempotency-key': key },
      );
    expect((await refund(2.5, 'refund-1')).amount_refunded.value).toBe(2.5);
    expect(await refund(3.5, 'refund-2')).toMatchObject({ status: 'refunded', amount_refunded: amount(6) });

    const orders = await linesOf<{ id: number; total: number }>(peter, '/v1/orders?currency=EUR');
    expect(orders).toMatchObject([{ id: order.id, total: order.total, items: [{ qty: 4 }, { qty: 4 }] }]);
    expect(await recordsOf(peter, '/v1/orders')).toMatchObject([
      { id: String(order.id), total: '6', currency: 'EUR' },
    ]);
    expect(await linesOf(peter, '/v2/charges')).toMatchObject([{ id: charged.id, status: 'refunded' }]);
    expect(await recordsOf(peter, '/v2/charges')).toMatchObject([
      { 'amount.value': '6', 'amount_refunded.value': '6', order_id: String(order.id) },
    ]);
    const sold = await linesOf<{ name: string }>(bill, '/v1/products');
    expect([sold.length, sold[0]?.name, sold.at(-1)?.name]).toEqual([
      PRODUCTS,
      'Part, 0',
      `Part, ${PRODUCTS - 1}`,
    ]);
    expect((await recordsOf(peter, '/v1/products')).map(({ name }) => name)).toEqual(
      sold.map(({ name }) => name),
    );

    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.stderr).toBe('');
    await mail.close();
    skip(
      !hasTerminals,
      'util-linux, whose "script" provides a terminal, is not installed: the progress bar was not tested',
    );
  };

  engine.testConcurrent('an organisation can run on it', walk);
});
