/** `portico listen`: passes each event to a program on this machine, signed and in order, despite restarts. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { signIn } from '../faults/client.ts';
import { eventIds, logEnd, startWriters } from '../faults/log-writers.ts';
import { command } from '../support/commands.ts';
import { describeEachEngine } from '../support/engines.ts';
import { freePort, manageServers, type ServerProcess, waitUntil } from '../support/process.ts';

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

describeEachEngine('listening', (engine) => {
  engine.testConcurrent(
    'loses nothing while the server, the program and the command itself are restarted',
    async () => {
      const place = await engine.create('demo');
      const env = { DATABASE_URL: place.url };
      const directory = await servers.directory();
      let server = await servers.start({ directory, env });
      const token = await signIn(server.url);
      const made = await fetch(`${server.url}/v1/api-keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'laptop', scopes: ['read:feed', 'read:orders'] }),
      });
      const { key } = (await made.json()) as { key: string };

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
});

test.each([
  [[], 2, 'Pass an API key'],
  [['--key', 'pk_x', '--server', 'ftp://localhost'], 2, 'http or https'],
  [['--key', 'pk_x', '--forward-to', 'nowhere'], 2, 'http or https'],
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
