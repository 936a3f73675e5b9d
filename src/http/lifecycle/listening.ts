import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../core/limits.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
  /** Whether another server may listen there. */
  readonly sharesPort?: boolean;
  /** What is logged when it listens. */
  readonly text: string;
}

/** Where several sockets may listen on one port, and the kernel deals connections out to them (SO_REUSEPORT, socket(7)). */
const SHARES_PORTS = process.platform === 'linux';

export interface Listening {
  /**
   * Resolves when clients can connect, or when it was stopped before, and rejects with the system's error where the port is
   * not to be had.
   */
  listen(place: Place): Promise<void>;
  /** Stops accepting connections. Resolves when the last one has gone. */
  unlisten(): Promise<void>;
}

/**
 * Has the server listen, with several sockets on its port where the system can. Node accepts one connection of a socket in a turn
 * of the event loop, so that with one socket a busy server takes up a few dozen clients a second; the others would wait
 * in the system, where no load is shed.
 *
 * @param resolve finds the addresses of `localhost`; the system's when left out.
 */
export function createListening(app: FastifyInstance, resolve: Resolve = lookup): Listening {
  const acceptors: Server[] = [];
  let begun: Promise<void> | undefined;
  let gone: Promise<void> | undefined;
  const begin = async ({ host, port, sharesPort = false, text }: Place) => {
    const addresses = await addressesOf(host, resolve);
    const common = { port, backlog: LIMITS.backlog, ...(SHARES_PORTS && { reusePort: true }) };
    const accept = async (address: string) => {
      const acceptor = createAcceptor(app);
      acceptors.push(acceptor);
      await once(acceptor.listen({ ...common, host: address }), 'listening');
    };
    // A port that is shared could be shared with another server unnoticed.
    if (SHARES_PORTS && !sharesPort) for (const address of addresses) await tryOut(address, port);
    if (gone) return;
    await app.listen({ ...common, host: addresses[0], listenTextResolver: () => text });
    for (const [index, address] of addresses.entries()) {
      // Of the first one, the server itself has one.
      const count = (SHARES_PORTS ? LIMITS.acceptors : 1) - (index === 0 ? 1 : 0);
      for (let opened = 0; opened < count; opened += 1) await accept(address);
    }
  };
  const end = async () => {
    // What is still to listen could not be closed, and would listen afterwards. The caller of `listen` gets the error.
    await begun?.catch(() => undefined);
    await closeAll([app.server, ...acceptors]);
  };
  const unlisten = () => {
    gone ??= end();
    return gone;
  };
  return {
    unlisten,
    listen(place) {
      begun = begin(place);
      return begun;
    },
  };
}

/** `http.Server` closes idle connections with its own `close`; the one it inherits only stops accepting. */
async function closeAll(servers: readonly Server[]): Promise<void> {
  const open = servers.filter(({ listening }) => listening);
  await Promise.all(open.map((server) => once(Server.prototype.close.call(server), 'close')));
}

/** Passes connections to the server as `node:http` does. */
function createAcceptor(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket);
  });
}

/** Finds all addresses of a name. */
export type Resolve = (name: string, options: { readonly all: true }) => Promise<readonly LookupAddress[]>;

/**
 * Where to listen for a host: at the address that the system finds for it, and for `localhost` at all those that this machine
 * has, since some clients look it up as 127.0.0.1 and others as ::1. Fastify, when it is given that name, opens servers of its own
 * beside this one, with connections unknown here.
 */
async function addressesOf(host: string, resolve: Resolve): Promise<readonly [string, ...string[]]> {
  if (host !== 'localhost') return [host];
  const addresses: string[] = [];
  for (const { address } of await resolve(host, { all: true })) {
    // A name may have an IPv6 address on a machine without IPv6.
    if (!addresses.includes(address) && (await isHere(address))) addresses.push(address);
  }
  const [first, ...others] = addresses;
  // Where there is none, the system says why.
  return first === undefined ? [host] : [first, ...others];
}

/** Whether this machine has the address. */
const isHere = (host: string): Promise<boolean> =>
  tryOut(host, 0).then(
    () => true,
    () => false,
  );

/** Probes whether the address is free; rejects with the system's error otherwise. */
async function tryOut(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
