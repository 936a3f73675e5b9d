import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

interface Place {
  readonly host: string;
  /** 0 if the system may assign it. */
  readonly port: number;
  readonly publicUrl: string;
}

/** Chooses the port if the system may assign it, also in the default of the public URL. */
export async function withPort<Http extends Place>(http: Http): Promise<Http> {
  if (http.port !== 0) return http;
  const port = await freePort(http.host);
  const publicUrl = http.publicUrl.replace(/^(https?:\/\/localhost):0$/, `$1:${port}`);
  return { ...http, port, publicUrl };
}

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
