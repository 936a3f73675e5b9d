import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { describeEachEngine } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { block, blocked } from './blocking.ts';
import { BusyClient, Connection, ORDER, signIn, storedOrders } from './client.ts';

const servers = manageServers();

const CLIENTS = 16;

/** Incomplete or unread requests of stalled clients, by title. None of the clients reads a response. */
const HOLDING_UP: Readonly<Record<string, (token: string) => string>> = {
  nothing: () => '',
  'half of the headers': () => 'GET /healthz HTTP/1.1\r\nHo',
  'a request, and half of the next headers': () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he',
  'half of a body': (token) =>
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  'a message that is not HTTP': () => 'hello\r\n\r\n',
  'requests without end': () => 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10),
  'a request for a stream': (token) =>
    `GET /feed HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
};

const MUTATION = {
  query: 'mutation($input: CreateOrderInput!) { createOrder(input: $input) { id } }',
  variables: {
    input: {
      userId: '1',
      items: [
        { productId: '1', qty: 2 },
        { productId: '2', qty: 3 },
      ],
    },
  },
};

/** Of a process whose work has ended within `LIMITS.shutdownTimeout`: after that it exits with 1. */
const LEFT = { code: 0, signal: null };

describeEachEngine('a server that receives SIGTERM', (engine) => {
  const start = async () => {
    const place = await engine.create('demo');
    const server = await servers.start({ env: { DATABASE_URL: place.url } });
    return { place, server, token: await signIn(server.url) };
  };

  engine.testConcurrent('responds to every request of busy clients, then exits', async () => {
    const { place, server, token } = await start();
    const clients = Array.from({ length: CLIENTS }, () => new BusyClient(server.url, token));
    const runs = clients.map((client) => client.run());
    await waitUntil(() => clients.every(({ served }) => served > 3), 'all clients to be served');

    server.signal('SIGTERM');
    await Promise.all(runs);
    expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await server.ended()).toEqual(LEFT);
    await expect(reach(server)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const placed = clients.flatMap((client) => client.placed).sort((a, b) => a - b);
    const stored = await storedOrders(place);
    expect(placed.length).toBeGreaterThan(CLIENTS);
    expect(stored.map(({ id }) => id)).toEqual(placed);
    expect(stored.filter(({ items, announced }) => items !== 2 || announced !== 1)).toEqual([]);
  });

  engine.testConcurrent(
    'finishes slow and incomplete requests, accepts no new connection meanwhile, and ignores a second signal',
    async () => {
      const { place, server, token } = await start();
      const unblock = await block(engine, place);
      const client = new Connection(server.url, token);
      const response = client.placeOrder();
      const uploads = ['/v1/users/1/orders', '/graphql'].map((path) =>
        slowUpload(server, token, path, path === '/graphql' ? MUTATION : ORDER),
      );
      const idle = await usedConnection(server);
      await blocked(engine, place, server);

      server.signal('SIGTERM');
      // It closes this one when it no longer waits for further requests.
      await once(idle, 'close');
      await expect(reach(server)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      server.signal('SIGTERM');
      server.signal('SIGINT');
      await unblock();
      const { status } = await response;
      expect(status).toBe(201);
      const [rest = '', graphql = ''] = await Promise.all(uploads.map((upload) => upload.finish()));
      expect(rest).toMatch(/^HTTP\/1\.1 201 /);
      expect(graphql).toMatch(/^HTTP\/1\.1 200 .*"createOrder":\{"id"/s);
      expect(await server.ended()).toEqual(LEFT);
      expect(await storedOrders(place)).toMatchObject(Array(3).fill({ items: 2, announced: 1 }));
      client.close();
    },
  );
});

test('stalled clients do not delay the shutdown', async () => {
  const server = await servers.start();
  const token = await signIn(server.url);
  const sockets = await Promise.all(Object.values(HOLDING_UP).map(() => reach(server, true)));
  for (const [index, begin] of Object.values(HOLDING_UP).entries()) {
    // The server cuts it; until then, no data is read.
    sockets[index]?.on('error', () => undefined);
    sockets[index]?.write(begin(token));
  }
  // Their data has arrived once the server responds to this request.
  const last = await usedConnection(server);
  expect(await server.end('SIGTERM')).toEqual(LEFT);
  expect(server.stderr).toBe('');
  for (const socket of [...sockets, last]) socket.destroy();
});

test('a server without connections stops without waiting for any', async () => {
  // The fastest of several, since a busy machine may pause one.
  let fastest = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5 && fastest >= LIMITS.drainTime / 2; turn += 1) {
    const server = await servers.launch({ env: { LOG_LEVEL: 'info' } });
    await waitUntil(() => server.stdout.includes(`http://localhost:${server.port}`), 'the greeting');
    expect(await server.end('SIGTERM')).toEqual(LEFT);
    const timeOf = (message: string) =>
      Number(new RegExp(`"time":(\\d+),.*"msg":"${message}"`).exec(server.stdout)?.[1]);
    fastest = Math.min(fastest, timeOf('stopped') - timeOf('stopping'));
  }
  expect(fastest).toBeLessThan(LIMITS.drainTime / 2);
});

test('SIGINT stops a server as SIGTERM does; an idle connection may send one more request, and is then closed', async () => {
  // The first time that the request is sent before idle connections are closed; a busy machine may send it too late.
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const server = await servers.start();
    const client = new Connection(server.url, await signIn(server.url));
    const before = await client.send('GET', '/readyz');
    expect(before).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
    const signalledAt = performance.now();
    server.signal('SIGINT');
    const failure = await lastRequest(server, client).then(
      () => undefined,
      (error: unknown) => error,
    );
    const took = performance.now() - signalledAt;
    expect(await server.ended()).toEqual(LEFT);
    expect(server.stderr).toBe('');
    if (failure === undefined) return;
    if (took < LIMITS.drainTime) throw failure;
  }
  throw new Error('The request was not sent in time.');
});

/** Sends a request on an idle connection to a server that no longer accepts others. */
async function lastRequest(server: ServerProcess, client: Connection): Promise<void> {
  await refuses(server);
  const { status, headers, body } = await client.send('GET', '/readyz');
  expect([status, headers.connection]).toEqual([503, 'close']);
  expect(JSON.parse(body)).toMatchObject({ checks: { draining: 'yes', database: 'ok' } });
}

test('clients that were connected but not yet accepted get their responses', async () => {
  const server = await servers.start();
  // The kernel completes the connections, and they wait in the queues of the sockets.
  server.signal('SIGSTOP');
  const clients = await Promise.all(Array.from({ length: 300 }, () => reach(server)));
  const responses = clients.map((client) => {
    client.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return text(client).catch((error: Error) => error.message);
  });
  server.signal('SIGTERM');
  server.signal('SIGCONT');
  const served = (await Promise.all(responses)).map((response) => response.split('\r\n', 1)[0]);
  expect(new Set(served)).toEqual(new Set(['HTTP/1.1 200 OK']));
  expect(await server.ended()).toEqual(LEFT);
});

test('SHUTDOWN_DELAY keeps serving new connections, while the readiness probe reports the stop', async () => {
  // The first delay in which the requests are served; on a busy machine, a short one may end before.
  for (const delay of [3000, 30_000]) {
    const server = await servers.start({ env: { SHUTDOWN_DELAY: String(delay) } });
    const token = await signIn(server.url);
    const signalledAt = performance.now();
    server.signal('SIGTERM');
    const failure = await requestsWhileLeaving(server, token).then(
      () => undefined,
      (error: unknown) => error,
    );
    const took = performance.now() - signalledAt;
    expect(await server.ended()).toEqual(LEFT);
    expect(performance.now() - signalledAt).toBeGreaterThanOrEqual(delay);
    if (failure === undefined) return;
    if (took < delay) throw failure;
  }
  throw new Error('The requests were not served before the server ended.');
});

/** Sends requests on new connections to a server that received a signal, from its first report of the stop. */
async function requestsWhileLeaving(server: ServerProcess, token: string): Promise<void> {
  const get = async (path: string) => {
    const client = new Connection(server.url, token);
    const response = await client.send('GET', path);
    client.close();
    return response;
  };
  await waitUntil(async () => (await get('/readyz')).status === 503, 'the probe to report it');
  expect(JSON.parse((await get('/readyz')).body)).toMatchObject({
    checks: { draining: 'yes', database: 'ok' },
  });
  expect(await get('/v1/users/1')).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
}

/** @param allowHalfOpen whether the client keeps its side open after the server has closed its own. */
async function reach({ port }: ServerProcess, allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the server accepts no more connections. */
async function refuses(server: ServerProcess): Promise<void> {
  await waitUntil(async () => {
    const socket = await reach(server).catch(() => undefined);
    socket?.destroy();
    return socket === undefined;
  }, 'connections to be refused');
}

/** A connection that has been used and is now idle. */
async function usedConnection(server: ServerProcess): Promise<Socket> {
  const socket = await reach(server);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Sends a request without the last byte of its body. */
function slowUpload({ port }: ServerProcess, token: string, path: string, content: unknown) {
  const body = JSON.stringify(content);
  const socket = connect(port, '127.0.0.1');
  const received = text(socket);
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Bearer ${token}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body.slice(0, -1),
    ].join('\r\n'),
  );
  return {
    /** @returns the whole response, as soon as the server has closed the connection. */
    finish(): Promise<string> {
      socket.write(body.slice(-1));
      return received;
    },
  };
}
