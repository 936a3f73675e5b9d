import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type ListenOptions, Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { monotonicTime } from '../../core/clock.ts';
import { addressesOf, type Resolve, requireFreePorts } from '../../core/free-port.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Port, TlsFiles } from '../tls/files.ts';
import { createTlsServer } from '../tls/server.ts';
import { descriptorsForListening } from './descriptors.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  /** A second port, on which clients present certificates; undefined for none. */
  readonly certifiedPort?: number | undefined;
  /** Whether another server may listen on the same port. */
  readonly sharesPort?: boolean;
  /**
   * The maximum number of sockets for each address on a system where several can share a port: with more, a busy server accepts clients
   * sooner. There are fewer if the process may open only few files.
   */
  readonly sockets?: number;
  /** The text to log once the server listens. */
  readonly text: string;
}

/** Whether several sockets may listen on one port, with the kernel distributing connections (SO_REUSEPORT, socket(7)). */
const SHARES_PORTS = process.platform === 'linux';
const SHARED = SHARES_PORTS ? { reusePort: true } : {};

export interface Listening {
  /**
   * Starts listening. Resolves when clients can connect or the server was stopped before, and rejects with the system's error if
   * the port is not available.
   */
  listen(place: Place): Promise<void>;
  /** Stops accepting connections, without losing one that is already established. Resolves when the last one has closed. */
  unlisten(): Promise<void>;
}

/**
 * Makes the server listen, with several sockets on its port if the system supports it. Node accepts one connection per socket in
 * a turn of the event loop, so with one socket a busy server accepts only a few dozen clients a second; the others would wait in
 * the kernel, where no load is shed.
 *
 * @param tls the files for TLS; without them the server speaks plain HTTP.
 * @param limit limits the connections of a server with TLS, from the beginning of their handshakes.
 * @param resolve finds the addresses of `localhost`, by default with the system's resolver.
 */
export function createListening(
  app: FastifyInstance,
  tls?: TlsFiles,
  resolve: Resolve = lookup,
  limit: (server: Server) => void = () => {},
): Listening {
  /** The servers that listen, and those that get their connections. */
  const acceptors = new Set<Server>([app.server]);
  const targets = new Set<Server>();
  let begun: Promise<void> | undefined;
  let gone: Promise<void> | undefined;
  const accept = async (to: Server, options: ListenOptions) => {
    // The HTTP server has a socket of its own. Fastify's `listen` would log the text for each network interface, and too early.
    const acceptor = to === app.server && !to.listening ? to : createAcceptor(to);
    targets.add(to);
    acceptors.add(acceptor);
    await once(acceptor.listen(options), 'listening');
  };
  const begin = async (place: Place) => {
    const { host, port, certifiedPort, sharesPort = false, sockets = LIMITS.acceptors, text } = place;
    const addresses = await addressesOf(host, resolve);
    const ports = new Map<Port, number>([['main', port]]);
    if (certifiedPort !== undefined) ports.set('certified', certifiedPort);
    if (SHARES_PORTS && !sharesPort) await requireFreePorts(host, [...ports.values()], resolve);
    if (gone) return;
    await app.ready();
    // The HTTP server of TLS does not listen itself, but Node checks the timeouts of connections only after this event.
    if (tls) app.server.emit('listening');
    const share = Math.floor(descriptorsForListening() / (ports.size * addresses.length));
    const each = SHARES_PORTS ? Math.max(1, Math.min(sockets, share)) : 1;
    for (const [name, number] of ports) {
      // The HTTP server itself gets the connections, or one that terminates TLS for it.
      const server = tls ? createTlsServer(app.server, tls, name) : app.server;
      if (tls) limit(server);
      for (const address of addresses) {
        const options = { ...SHARED, port: number, host: address, backlog: LIMITS.backlog };
        for (let left = each; left > 0; left -= 1) await accept(server, options);
      }
    }
    app.log.info(text);
  };
  const end = async () => {
    // A socket that is about to listen could not be closed, and would listen afterwards. The caller of `listen` gets the error.
    await begun?.catch(() => undefined);
    const release = await emptyQueues([...targets]);
    const closed = closeAll([...acceptors]);
    release();
    await closed;
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

/** Milliseconds of a turn of the event loop that only accepts connections. During a longer one, further clients may have connected. */
const QUIET_TURN = 2;

/** A client that disconnects while its connection is held. */
const ignore = () => {};

/**
 * Accepts the connections that the kernel has established already, which it would reset when their socket closes. Node accepts one
 * per socket in a turn of the event loop, so this ends with a short turn that accepted none. Until `release`, nothing is read from
 * them: work for their requests would prolong the turns, and clients that connect for each request would never stop.
 *
 * @param servers the servers that get the connections as events.
 * @returns a function that passes the connections on. Call it once the sockets have stopped accepting.
 */
async function emptyQueues(servers: readonly Server[]): Promise<() => void> {
  const queues = servers.map(hold);
  const accepted = () => queues.reduce((sum, { held }) => sum + held.length, 0);
  const began = monotonicTime();
  let turnBegan = began;
  for (let before = -1; ; ) {
    await nextTurn();
    const [now, after] = [monotonicTime(), accepted()];
    if (after === before && now - turnBegan < QUIET_TURN) break;
    if (now - began > LIMITS.emptyingTime) break;
    turnBegan = now;
    before = after;
  }
  return () => {
    for (const { release } of queues) release();
  };
}

/** Holds the connections of a server: its own handlers get them when they are released. */
function hold(server: Server): { readonly held: readonly Socket[]; readonly release: () => void } {
  const held: Socket[] = [];
  // The declared type of listeners is `Function`; these are the ones of this event.
  const handlers = server.rawListeners('connection') as ((socket: Socket) => void)[];
  const keep = (socket: Socket) => {
    held.push(socket.on('error', ignore));
  };
  server.removeAllListeners('connection').on('connection', keep);
  return {
    held,
    release() {
      server.off('connection', keep);
      for (const handler of handlers) server.on('connection', handler);
      for (const socket of held) {
        socket.off('error', ignore);
        if (!socket.destroyed) server.emit('connection', socket);
      }
    },
  };
}

/** Closes listening sockets. `close` of `http.Server` also closes idle connections; the inherited one only stops accepting. */
async function closeAll(servers: readonly Server[]): Promise<void> {
  const open = servers.filter(({ listening }) => listening);
  await Promise.all(open.map((server) => once(Server.prototype.close.call(server), 'close')));
}

/** Creates a socket that passes its connections to a server, with the options of `node:http`. */
function createAcceptor(to: Server): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    to.emit('connection', socket);
  });
}
