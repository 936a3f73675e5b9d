/** Usage counts are written while the server runs, and at the latest when it stops. */
import { expect, test } from 'vitest';
import { Connection, signIn } from '../faults/client.ts';
import { manageServers, waitUntil } from '../support/process.ts';

interface OperationUse {
  readonly operation: string;
  readonly requests: number;
}

const servers = manageServers();

test('usage counts survive the process', async () => {
  const directory = await servers.directory();
  let server = await servers.start({ directory });
  let connection = new Connection(server.url, await signIn(server.url));
  const placed = async () => {
    const { body } = await connection.send('GET', '/v1/operation-uses?limit=100');
    const { data } = JSON.parse(body) as { data: OperationUse[] };
    return data.reduce((sum, use) => sum + (use.operation === 'CreateOrder' ? use.requests : 0), 0);
  };
  await connection.placeOrder();
  await waitUntil(async () => (await placed()) === 1, 'the first count');
  await connection.placeOrder();
  await connection.placeOrder();
  connection.close();
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });

  server = await servers.start({ directory });
  connection = new Connection(server.url, await signIn(server.url));
  // The sum over all days, because midnight may lie between the two.
  expect(await placed()).toBe(3);
  connection.close();
  expect(server.stderr).toBe('');
});
