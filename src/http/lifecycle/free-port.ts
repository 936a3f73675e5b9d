import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port on which nobody listens, for a server that has to know its own address before it is there. */
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
