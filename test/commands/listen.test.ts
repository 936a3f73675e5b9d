/** `portico listen`: passes each event to a program on this machine, signed and in order, despite restarts. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { Connection, signIn } from '../faults/client.ts';
import { eventIds, logEnd, startWriters } from '../faults/log-writers.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { freePort, manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';
import { command } from './command.ts';

/** Events to write while both ends are restarted. */
const EVENTS = Number(process.env['EVENTS'] ?? 200);

const WRITERS = 4;

vi.setConfig({ testTimeout: 300_000 + EVENTS * 100 });

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const servers = manageServers();
const receivers: Server[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.closeAllConnections();
});

/** A program on a port that stores the ids of accepted events, and refuses messages with an invalid signature. */
function startReceiver(port: number, taken: number[], refused: unknown[]): Promise<Server> {
  const webhook = new Webhook(SECRET);
  const receiver = createServer(async (request, response) => {
    try {
      const headers = request.headers as Record<string, string>;
      const message = webhook.verify(await text(request), headers) as { data: { id: number } };
      taken.push(message.data.id);
      response.writeHead(204).end();
    } catch (error) {
      refused.push(error);
      response.writeHead(401).end();
    }
  });
  receivers.push(receiver);
  return new Promise((resolve) => receiver.listen(port, '127.0.0.1', () => resolve(receiver)));
}

const close = (receiver: Server) =>
  new Promise((resolve) => {
    receiver.close(resolve);
    receiver.closeAllConnections();
  });

async function createKey(url: string, token: string, scopes: readonly string[]): Promise<string> {
  const made = await fetch(`${url}/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', scopes }),
  });
  const { key } = (await made.json()) as { key: string };
  return key;
}

/** Creates a charge, which is an event. */
async function charge(url: string): Promise<void> {
  const { status } = await fetch(`${url}/v2/charges`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await signIn(url)}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' }),
  });
  expect(status).toBe(201);
}

/** Whether the server has one open event stream. */
async function hasStream(url: string): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return /^portico_subscriptions_open\{.*door="sse".*\} 1$/m.test(text);
}

describeEachEngine('listening', (engine) => {
  engine.testConcurrent(
    'loses nothing while the server, the program and the command itself are restarted',
    async () => {
      const place = await engine.create('demo');
      const env = { DATABASE_URL: place.url };
      const directory = await servers.directory();
      let server = await servers.start({ directory, env });
      const token = await signIn(server.url);
      const key = await createKey(server.url, token, ['read:feed', 'read:orders']);

      const port = await freePort();
      const taken: number[] = [];
      const refused: unknown[] = [];
      let receiver = await startReceiver(port, taken, refused);
      const cursorFile = join(directory, 'cursor');
      const places = ['--server', server.url, '--forward-to', `http://127.0.0.1:${port}/hooks`];
      const rest = ['--secret', SECRET, '--types', 'order.*', '--cursor-file', cursorFile];
      const listen = (): Promise<ServerProcess> =>
        servers.launch({
          env: { PORTICO_KEY: key },
          program: ['bin/portico.js', 'listen', ...places, ...rest],
        });
      let listener = await listen();
      const { id: from } = await logEnd(server.url, token);
      const writers = startWriters([server.url], token, WRITERS);
      await waitUntil(() => taken.length > 0, 'the first event');
      const [first = 0] = taken;

      await writers.more(EVENTS / 4);
      await close(receiver);
      await writers.more(EVENTS / 4);
      await server.end('SIGKILL');
      server = await servers.start({ directory, env: { ...env, PORT: String(server.port) } });
      receiver = await startReceiver(port, taken, refused);
      await writers.more(EVENTS / 4);
      await listener.end('SIGKILL');
      // Earlier events may have been in flight when the first one arrived.
      await writers.more(EVENTS / 4 + WRITERS);
      listener = await listen();
      await writers.finish(EVENTS);

      const written = (await eventIds(place, from)).filter((id) => id >= first);
      const last = written.at(-1);
      await waitUntil(() => taken.at(-1) === last, 'the last event');
      expect(refused).toEqual([]);
      expect(written.length).toBeGreaterThanOrEqual(EVENTS);
      // Events repeat only where a response was lost; first deliveries are in the order of the log.
      expect([...new Set(taken)]).toEqual(written);
      await listener.end('SIGTERM');
      await close(receiver);
    },
  );

  // The position of the listener does not depend on the engine.
  if (!runsAllCases(engine)) return;

  /** Starts a server, and a listener for charges, of which there are none yet. */
  async function startListener() {
    const place = await engine.create('demo');
    const directory = await servers.directory();
    // Commands do not know the documents that a server trusts.
    const trusted = join(directory, 'trusted-documents.json');
    await writeFile(trusted, '{"documents":[]}');
    const env = { DATABASE_URL: place.url, TRUSTED_DOCUMENTS: 'only', TRUSTED_DOCUMENTS_FILE: trusted };
    const server = await servers.start({ directory, env });
    const token = await signIn(server.url);
    const cursorFile = join(directory, 'cursor');
    // An empty file, as `mktemp` creates it, has no cursor.
    await writeFile(cursorFile, '');
    const listener = await servers.launch({
      env: { PORTICO_KEY: await createKey(server.url, token, ['read:feed', 'read:charges']) },
      program: ['bin/portico.js', 'listen', '--server', server.url, '--cursor-file', cursorFile],
    });
    const hasBegun = async () => {
      expect(listener.stderr).toBe('');
      return hasStream(server.url);
    };
    await waitUntil(hasBegun, 'the stream of the listener');
    // Another run would resume where this one began.
    expect(await readFile(cursorFile, 'utf8')).not.toBe('');
    const startServer = (port: number) => servers.start({ directory, env: { ...env, PORT: String(port) } });
    return { place, server, startServer, token, listener };
  }

  test('resumes after a restart where it began, although there was no event', async () => {
    const { server, startServer, listener } = await startListener();
    await server.end('SIGKILL');
    // On another port, to which the listener cannot connect.
    const other = await startServer(await freePort());
    await charge(other.url);
    await other.end('SIGTERM');
    await startServer(server.port);
    await waitUntil(() => listener.stdout.includes('charge.'), 'the event');
  });

  test('resumes where the server ended the stream, after events of other types that have expired since', async () => {
    const { place, server, startServer, token, listener } = await startListener();
    const witness = await openEventStream(`${server.url}/feed`, token);
    const orders = new Connection(server.url, token);
    for (const _ of [1, 2]) await orders.placeOrder();
    orders.close();
    // Each event is sent to all streams before the next one.
    await waitUntil(() => witness.text.split('order.created').length > 2, 'the second order');
    await server.end('SIGTERM');
    const [, first] = await place.query(`select id from events where org = 'acme' order by id desc limit 2`);
    await place.query(`insert into log_starts (org, purged_to) values ('acme', ${Number(first?.['id'])})`);
    const next = await startServer(server.port);
    await charge(next.url);
    await waitUntil(() => listener.stdout.includes('charge.'), 'the event');
    expect(listener.stderr).not.toContain('refused');
  });
});

test.each([
  [[], 2, 'Pass an API key'],
  [['--key', 'pk_x', '--server', 'ftp://localhost'], 2, 'http or https'],
  [['--key', 'pk_x', '--client-id', 'app_1'], 2, 'either --key or --client-id'],
  [['--key', 'pk_x', '--forward-to', 'nowhere'], 2, 'http or https'],
  [['--key', 'pk_x', '--forward-to', 'http://me:secret@localhost'], 2, 'a user name or a password'],
  [['--key', 'pk_x', '--server', 'http://me@localhost'], 2, 'a user name or a password'],
  [['--key', 'pk_x\n'], 2, 'The key has characters that no key or token has.\n'],
  [['--key', 'pk_x', '--secret', 'short'], 2, 'whsec_'],
  [['--key', 'pk_x', '--types', 'order.*', 'none.*'], 2, '"none.*"'],
])('%j is refused', async (args, code, message) => {
  const environment = { PORTICO_KEY: '' };
  const refused = await command(['listen', ...args], { environment });
  expect(refused).toMatchObject({ code, err: expect.stringContaining(message) });
});

test('an invalid key ends the command with a reason', async () => {
  const server = await servers.start();
  const refused = await command(['listen', '--server', server.url, '--key', 'pk_none'], { environment: {} });
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('refused the request');
});
