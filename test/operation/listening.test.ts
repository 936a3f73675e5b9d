/** How the server accepts connections. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Resolve } from '../../src/core/free-port.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { closeGracefully } from '../../src/http/lifecycle/connections.ts';
import { descriptorsForClients, descriptorsForListening } from '../../src/http/lifecycle/descriptors.ts';
import { createListening, type Listening } from '../../src/http/lifecycle/listening.ts';
import { freePort, manageServers } from '../support/process.ts';

const servers = manageServers();

const HOST = '127.0.0.1';

/** Stops accepting as the server does at the start of its close. */
function listeningOf(app: FastifyInstance, resolve?: Resolve): Listening {
  const listening = createListening(app, undefined, resolve);
  app.addHook('preClose', listening.unlisten);
  return listening;
}

async function listening() {
  const app = Fastify();
  const { listen } = listeningOf(app);
  const place = { host: HOST, port: await freePort(), text: '' };
  await listen(place);
  return { app, ...place };
}

test.skipIf(process.platform !== 'linux')(
  'accepts many clients in a few turns of the event loop',
  async () => {
    const { app, port } = await listening();
    const clients: Socket[] = [];
    onTestFinished(async () => {
      for (const client of clients) client.destroy();
      await app.close();
    });
    let accepted = 0;
    app.server.on('connection', () => {
      accepted += 1;
    });
    const count = 6 * LIMITS.acceptors;
    while (clients.length < count) clients.push(connect(port, HOST).unref());
    let turns = 0;
    for (; accepted < count; turns += 1) await nextTurn();
    // With one listening socket it would take at least one turn per client.
    expect(turns).toBeLessThan(count / 2);
  },
);

test('responds to accepted connections, then accepts no more', async () => {
  const { app, port } = await listening();
  const clients = Array.from({ length: 2 * LIMITS.acceptors }, () => connect(port, HOST));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const responses = clients.map(async (client) => {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [response] = await once(client, 'data');
    return String(response).slice(0, 12);
  });
  expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 404']));
  for (const client of clients) client.end();
  await app.close();
  const [error] = await once(connect(port, HOST), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('says once that it listens, with several network interfaces and all of its sockets open', async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line) => void lines.push(JSON.parse(line).msg) } } });
  onTestFinished(() => app.close());
  await listeningOf(app).listen({ host: '0.0.0.0', port: await freePort(), text: 'listening' });
  expect(lines).toEqual(['listening']);
});

test('does not share a port with another server', async () => {
  const { app, port } = await listening();
  onTestFinished(() => app.close());
  const second = Fastify();
  await expect(listeningOf(second).listen({ host: HOST, port, text: '' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  const stranger = createServer();
  await expect(once(stranger.listen(port, HOST), 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('accepts nothing if it is stopped while it starts to listen', async () => {
  const app = Fastify();
  const { listen, unlisten } = listeningOf(app);
  const port = await freePort();
  // A name is resolved for each socket, and the server may be stopped between two of them.
  const begun = listen({ host: 'localhost', port, text: '' });
  await once(app.server, 'listening');
  await unlisten();
  await begun;
  await app.close();
  await expect(once(connect(port, 'localhost'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('does not start to listen after it was stopped', async () => {
  const app = Fastify();
  const { listen, unlisten } = listeningOf(app);
  const port = await freePort();
  const begun = listen({ host: HOST, port, text: '' });
  await unlisten();
  await begun;
  await expect(once(connect(port, HOST), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await app.close();
});

/** Only Linux assigns all of 127.0.0.0/8 to the machine, and many machines have no ::1. */
test.skipIf(process.platform !== 'linux')(
  'listens at all existing addresses of localhost, and closes all of their connections',
  async () => {
    const app = Fastify();
    const { begin, end } = closeGracefully(app.server);
    app.addHook('preClose', async () => begin());
    app.addHook('onClose', async () => end());
    // The last one is reserved for documentation (RFC 5737), so that no machine has it.
    const addresses = [HOST, '127.0.0.2', '192.0.2.1'].map((address) => ({ address, family: 4 }));
    const { listen, unlisten } = listeningOf(app, async () => addresses);
    const port = await freePort();
    await listen({ host: 'localhost', port, text: '' });
    const accepted: (string | undefined)[] = [];
    app.server.on('connection', ({ localAddress }: Socket) => accepted.push(localAddress));
    const clients = [connect(port, HOST), connect(port, '127.0.0.2')];
    const closed = Promise.all(clients.map((client) => once(client, 'close')));
    while (accepted.length < clients.length) await once(app.server, 'connection');
    expect(accepted.toSorted()).toEqual([HOST, '127.0.0.2']);
    const left = unlisten();
    for (const host of [HOST, '127.0.0.2']) {
      // It accepts the connections that wait for it before it closes.
      await vi.waitFor(() =>
        expect(once(connect(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
      );
    }
    await app.close();
    await Promise.all([left, closed]);
  },
);

describe.each([64, 128, 256, 512, 1024, 65_536])('with %i files that a process may open', (files) => {
  test('clients leave enough for the server itself and its listening sockets', () => {
    const clients = descriptorsForClients(files);
    expect(clients).toBeGreaterThan(0);
    expect(clients).toBeLessThanOrEqual(files * (1 - LIMITS.descriptorReserve));
    expect(files - clients - descriptorsForListening(files)).toBeGreaterThanOrEqual(LIMITS.ownDescriptors);
  });
});

test('clients are not limited where a process may open any number of files', () => {
  expect(descriptorsForClients(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});

const FEW = 64;

test.skipIf(process.platform !== 'linux')(
  'a server that may open few files serves more clients',
  async () => {
    const directory = await servers.directory();
    const node = join(directory, 'node');
    await writeFile(node, `#!/bin/sh\nulimit -n ${FEW}\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    const { url } = await servers.start({ node });
    const { hostname, port } = new URL(url);
    const idle = Array.from({ length: 100 }, () =>
      connect(Number(port), hostname)
        .on('error', () => {})
        .resume(),
    );
    onTestFinished(() => {
      for (const client of idle) client.destroy();
    });
    // All of them were accepted, so that none makes room for itself later.
    const open = () => idle.filter(({ closed }) => !closed).length;
    await expect.poll(open).toBe(descriptorsForClients(FEW));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  },
);
