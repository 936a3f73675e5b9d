/** The setting for connections per network, on the whole server. Other networks and trusted proxies are not affected. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';

const CONNECTIONS = { connectionsPerNetwork: 2, socketsPerNetwork: 1 };

describeOnSqlite('connections', (engine) => {
  describe.each([
    ['of one network', '0', 3],
    ['of a trusted proxy', '127.0.0.2', 5],
  ])('%s', (_name, trustProxy, expected) => {
    const app = startApp(engine, { connections: CONNECTIONS, http: { trustProxy } });

    test('are limited unless they are those of many clients', async () => {
      const clients = Array.from({ length: 5 }, () =>
        connect({ port: app.port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {}),
      );
      onTestFinished(() => {
        for (const client of clients) client.destroy();
      });
      await Promise.all(clients.map((client) => once(client, 'connect')));
      const served = clients.map(async (client) => {
        client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        return new Promise<number>((resolve) =>
          client.on('data', () => resolve(1)).on('close', () => resolve(0)),
        );
      });
      expect((await Promise.all(served)).reduce<number>((sum, each) => sum + each, 0)).toBe(expected);
      expect((await app.get('/healthz')).status).toBe(200);
    });
  });
});
