/** A PostgreSQL server that stops responding, behind a proxy that stops forwarding. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { Sender } from '../../src/db/postgres/sender.ts';
import { describeEachEngine } from '../support/engines.ts';

/** Milliseconds that pass only when the test lets them. */
const PATIENCE = 300;

/** A proxy to the server of a URL, which can stop forwarding. */
async function startProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(Number(port || 5432), hostname);
    client.pipe(target).pipe(client);
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address of this type.
  const { port: own } = server.address() as AddressInfo;
  const through = new URL(url);
  through.host = `127.0.0.1:${own}`;
  return {
    url: through.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describeEachEngine(
  'a silent server',
  (engine) => {
    test('is considered lost while a result is outstanding, and not otherwise', async ({ skip }) => {
      skip(!engine.concurrent, 'PGlite is not a server');
      const proxy = await startProxy(engine.place.url);
      const pool = new pg.Pool({ connectionString: proxy.url, pipeline: true });
      pool.on('error', () => undefined);
      const client = await pool.connect();
      client.on('error', () => undefined);
      try {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const sender = new Sender(client, PATIENCE);
        vi.advanceTimersByTime(2 * PATIENCE);
        const given = await Promise.all([1, 2].map((n) => sender.send('select $1::int as n', [n])));
        expect(given.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
        vi.advanceTimersByTime(2 * PATIENCE);
        expect((await sender.send({ text: 'select 3', rowMode: 'array' })).rows).toEqual([[3]]);
        await expect(sender.send('select wrong')).rejects.toMatchObject({ code: '42703' });
        proxy.silence();
        const sent = Promise.allSettled([sender.send('select 4'), sender.send('select 5')]);
        vi.advanceTimersByTime(PATIENCE);
        const lost = await sent;
        expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      } finally {
        vi.useRealTimers();
        client.release(true);
        await pool.end();
        await proxy.close();
      }
    });
  },
  'postgres',
);
