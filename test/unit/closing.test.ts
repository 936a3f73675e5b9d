/** The state that a server keeps of its connections, to close them at shutdown. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { closeGracefully } from '../../src/http/lifecycle/connections.ts';
import { createListening } from '../../src/http/lifecycle/listening.ts';
import { holdTime } from '../support/test-doubles.ts';

setFlagsFromString('--expose-gc');
// Reads the flag that is set while the process runs.
const collect = runInNewContext('gc') as () => void;

function addClosing(app: FastifyInstance): void {
  const { begin, end } = closeGracefully(app.server);
  app.addHook('preClose', async () => begin());
  app.addHook('onClose', async () => end());
}

test('an idle connection keeps nothing of its earlier requests', async () => {
  const app = Fastify();
  addClosing(app);
  const responses: WeakRef<ServerResponse>[] = [];
  app.get('/', (_request, reply) => {
    responses.push(new WeakRef(reply.raw));
    return 'answer';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A TCP server that listens has an address with a port.
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(async () => {
    client.destroy();
    await app.close();
  });
  for (let request = 0; request < 3; request += 1) {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await once(client, 'data'))).toContain('200 OK');
  }
  const kept = () => {
    collect();
    return responses.map((response) => response.deref() !== undefined);
  };
  // A response is complete some turns after its client has received it.
  await expect.poll(kept).toEqual([false, false, false]);
  expect(client.destroyed).toBe(false);
});

test('idle connections do not delay the close of a server', async () => {
  const app = Fastify();
  addClosing(app);
  app.addHook('preClose', createListening(app).unlisten);
  app.get('/', () => 'answer');
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A TCP server that listens has an address with a port.
  const { port } = app.server.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1');
  await once(app.server, 'connection');
  const idle = connect(port, '127.0.0.1');
  const closed = Promise.all([once(idle, 'close'), once(silent, 'close')]);
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String(await once(idle, 'data'))).toContain('200 OK');
  // The server's patience with slow clients does not end, so that no connection closes for that reason.
  holdTime();
  await app.close();
  await closed;
});

test('a request that has arrived, but was not read before the first check, gets its response', async () => {
  const server = createServer((_request, response) => response.end('answer'));
  const { begin, end } = closeGracefully(server);
  server.on('connection', () => {
    begin();
    // The check is due when this turn ends, before the next one reads.
    block(CHECKED);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server that listens has an address with a port.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    end();
    client.destroy();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String(await once(client, 'data'))).toContain('200 OK');
});

/** Milliseconds within which a closing server checks its connections. */
const CHECKED = 200;

/** Blocks the event loop, as on a busy machine. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
