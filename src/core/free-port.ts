import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
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

/** Finds all addresses of a name. */
export type Resolve = (name: string, options: { readonly all: true }) => Promise<readonly LookupAddress[]>;

/**
 * Returns the addresses to listen on for a host: for `localhost` all its addresses on this machine, since some clients resolve it
 * to 127.0.0.1 and others to ::1; otherwise the host itself. Given `localhost`, Fastify would open additional servers, whose
 * connections could not be tracked.
 */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly [string, ...string[]]> {
  if (host !== 'localhost') return [host];
  const addresses: string[] = [];
  for (const { address } of await resolve(host, { all: true })) {
    // The name may have an IPv6 address on a machine without IPv6.
    if (!addresses.includes(address) && (await isLocalAddress(address))) addresses.push(address);
  }
  const [first, ...others] = addresses;
  // If there is none, listening fails with the system's error.
  return first === undefined ? [host] : [first, ...others];
}

const isLocalAddress = (host: string): Promise<boolean> =>
  requireFree(host, 0).then(
    () => true,
    () => false,
  );

/**
 * Checks that no server listens on any of the ports. With SO_REUSEPORT they could be shared with it unnoticed, and it would get a part of the
 * connections.
 *
 * @param resolve finds the addresses of `localhost`, by default with the system's resolver.
 * @throws the system's error.
 */
export async function requireFreePorts(
  host: string,
  ports: readonly number[],
  resolve: Resolve = lookup,
): Promise<void> {
  for (const address of await addressesOf(host, resolve))
    for (const port of ports) await requireFree(address, port);
}

/** Checks that the address is free; rejects with the system's error otherwise. */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
