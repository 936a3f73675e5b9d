import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../core/limits.ts';
import type { TlsFiles } from '../tls/files.ts';
import { createTlsServer } from '../tls/server.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
  /** A second port, on which clients show certificates; undefined for none. */
  readonly certifiedPort?: number | undefined;
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
 * @param tls the files of a server that speaks TLS; it speaks plain HTTP without them.
 */
export function createListening(app: FastifyInstance, resolve: Resolve = lookup, tls?: TlsFiles): Listening {
  const acceptors: Server[] = [];
  let begun: Promise<void> | undefined;
  let gone: Promise<void> | undefined;
  /** Opens sockets on a port, as many as are good for it, beside those that are open there. */
  const accept = async (to: Server, addresses: readonly string[], common: object, opened = 0) => {
    for (const [index, address] of addresses.entries()) {
      const count = (SHARES_PORTS ? LIMITS.acceptors : 1) - (index === 0 ? opened : 0);
      for (let number = 0; number < count; number += 1) {
        const acceptor = createAcceptor(to);
        acceptors.push(acceptor);
        await once(acceptor.listen({ ...common, host: address }), 'listening');
      }
    }
  };
  const begin = async ({ host, port, certifiedPort, sharesPort = false, text }: Place) => {
    const addresses = await addressesOf(host, resolve);
    const at = (number: number) => ({
      port: number,
      backlog: LIMITS.backlog,
      ...(SHARES_PORTS && { reusePort: true }),
    });
    const ports = certifiedPort === undefined ? [port] : [port, certifiedPort];
    // A port that is shared could be shared with another server unnoticed.
    if (SHARES_PORTS && !sharesPort) {
      for (const address of addresses) for (const number of ports) await tryOut(address, number);
    }
    if (gone) return;
    if (!tls) {
      await app.listen({ ...at(port), host: addresses[0], listenTextResolver: () => text });
      await accept(app.server, addresses, at(port), 1);
      return;
    }
    await app.ready();
    // The server does not listen by itself. Node looks after the timeouts of connections from when it does.
    app.server.emit('listening');
    await accept(createTlsServer(app.server, tls, 'main'), addresses, at(port));
    if (certifiedPort !== undefined) {
      await accept(createTlsServer(app.server, tls, 'certified'), addresses, at(certifiedPort));
    }
    app.log.info(text);
  };
  const end = async () => {
    // What is still to listen could not be closed, and would listen afterwards. The caller of `listen` gets the error.
    await begun?.catch(() => undefined);
    await closeAll([app.server, ...acceptors]);
    if (tls) app.server.emit('close');
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

/** Passes connections to a server as `node:http` does. */
function createAcceptor(to: Server): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    to.emit('connection', socket);
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
