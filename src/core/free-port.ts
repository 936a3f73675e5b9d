import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Finds a free port, for a server that must know its address before it starts. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
