/** Requests that a client sends on one connection without waiting for responses, over HTTP and over TLS. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely, createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { takeTurns } from '../../src/http/lifecycle/connections.ts';
import { Authority } from '../support/tls.ts';

const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

/** The numbers of the turns of the event loop. */
function countTurns() {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => turn;
}

/** Starts a server whose responses are the paths of the requests, and a client of it. */
async function start(
  isSecure: boolean,
  handle: RequestListener = ({ url }, response) => response.end(`${url}\n`),
) {
  const turnOf = countTurns();
  /** The turn of the event loop in which each request was handled. */
  const handled: number[] = [];
  const server = createServer((request, response) => {
    handled.push(turnOf());
    handle(request, response);
  });
  takeTurns(server);
  /** The number of requests that Node has parsed. */
  let parsed = 0;
  server.on('request', () => {
    parsed += 1;
  });
  const acceptor = isSecure
    ? createTlsServer(await identity(), (socket) => void server.emit('connection', socket))
    : server;
  await once(acceptor.listen(0, '127.0.0.1'), 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = acceptor.address() as AddressInfo;
  const client = isSecure
    ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  client.on('error', () => {});
  onTestFinished(() => {
    client.destroy();
    acceptor.close();
  });
  await once(client, isSecure ? 'secureConnect' : 'connect');
  return { client, handled, parsed: () => parsed };
}

async function identity() {
  const directory = await mkdtemp(join(tmpdir(), 'portico-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { cert, key } = await (await Authority.found(directory)).issue({ names: 'IP:127.0.0.1' });
  return { cert, key };
}

describe.each([
  ['HTTP', false],
  ['TLS', true],
])('pipelined requests over %s', (_name, isSecure) => {
  test('are handled in order, at most one in a turn of the event loop', async () => {
    const { client, handled } = await start(isSecure);
    const count = LIMITS.waitingRequests + 1;
    const received = text(client);
    client.write(requests(count));
    await expect.poll(() => handled.length).toBe(count);
    client.end();
    const paths = [...(await received).matchAll(/^\/(\d+)$/gm)].map(([, path]) => Number(path));
    expect(paths).toEqual(Array.from({ length: count }, (_, index) => index));
    expect(new Set(handled).size).toBe(count);
  });

  test('wait for the response to the previous one, also with a body that arrives later', async () => {
    const held: (() => void)[] = [];
    const bodies: string[] = [];
    const { client, handled } = await start(isSecure, async (request, response) => {
      bodies.push(await text(request));
      held.push(() => response.end('x'));
    });
    client.write(`${requests(1)}POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab`);
    await expect.poll(() => held.length).toBe(1);
    client.write('cd');
    await sleep(50);
    expect(handled).toHaveLength(1);
    held[0]?.();
    await expect.poll(() => bodies).toEqual(['', 'abcd']);
  });

  test('close the connection if there are too many, without being parsed', async () => {
    const { client, handled, parsed } = await start(isSecure);
    const closed = once(client, 'close');
    client.resume().write(requests(1000));
    await closed;
    expect(handled.length).toBeLessThanOrEqual(LIMITS.waitingRequests + 1);
    expect(parsed()).toBeLessThanOrEqual(LIMITS.waitingRequests + 2);
  });
});
