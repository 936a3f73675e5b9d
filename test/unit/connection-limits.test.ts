/** The number of open connections: of one network, of trusted proxies, and of all together. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ConnectionLimits, limitConnections } from '../../src/http/lifecycle/connections.ts';

async function start(limits: Partial<ConnectionLimits>) {
  const server = createServer((socket) => socket.on('error', () => {}));
  limitConnections({ perNetwork: 1000, isProxy: () => false, ...limits })(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return {
    /** Opens connections from an address, one after the other. */
    async open(count: number, localAddress: string): Promise<readonly Socket[]> {
      const opened: Socket[] = [];
      for (let index = 0; index < count; index += 1) {
        const accepted = once(server, 'connection');
        const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
        clients.push(client);
        opened.push(client.resume());
        await accepted;
      }
      return opened;
    },
  };
}

const areClosed = (sockets: readonly Socket[]) => sockets.map(({ closed }) => closed);

test('a network has at most its number, and a closed one makes room', async () => {
  const { open } = await start({ perNetwork: 2 });
  const own = await open(3, '127.0.0.2');
  const other = await open(1, '127.0.0.3');
  await expect.poll(() => areClosed([...own, ...other])).toEqual([false, false, true, false]);
  own[0]?.destroy();
  await expect
    .poll(async () => {
      const [again] = await open(1, '127.0.0.2');
      await new Promise((resolve) => setTimeout(resolve, 20));
      return again?.closed;
    })
    .toBe(false);
});

test('the connections of trusted proxies are not those of one network', async () => {
  const { open } = await start({ perNetwork: 1, isProxy: (address) => address === '127.0.0.2' });
  const ofProxy = await open(5, '127.0.0.2');
  const own = await open(2, '127.0.0.3');
  await expect.poll(() => areClosed(own)).toEqual([false, true]);
  expect(areClosed(ofProxy)).toEqual(Array(5).fill(false));
});

test('when there are no more for anybody, a new one replaces the oldest of the network with the most', async () => {
  const { open } = await start({ total: 5, isProxy: (address) => address === '127.0.0.4' });
  const ofProxy = await open(1, '127.0.0.4');
  const many = await open(3, '127.0.0.2');
  const neighbour = await open(1, '127.0.0.3');
  const more = await open(2, '127.0.0.5');
  await expect.poll(() => areClosed(many)).toEqual([true, true, false]);
  await expect.poll(() => areClosed([...ofProxy, ...neighbour])).toEqual([false, false]);
  expect(areClosed(more)).toEqual([false, false]);
});
