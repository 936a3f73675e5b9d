/** The connections of the server: how many there are, the order of the requests on each, and their end while the server closes. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { networkOf } from '../../core/networks.ts';
import { descriptorsForClients } from './descriptors.ts';

export interface ConnectionLimits {
  /** Maximum connections of one network. */
  readonly perNetwork: number;
  /** Maximum connections of all networks together, by default as many as the process may open files, except for a reserve. */
  readonly total?: number;
  /** Whether an address is that of a trusted proxy, whose connections are those of many clients. They are not counted as a network. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Limits the open connections, so that one network cannot use up what the process may open: without a free descriptor no client can connect,
 * and the server cannot read its own files. A connection beyond the limit of its network is closed. One beyond the total replaces the
 * oldest of the network with the most: of many connections, that is most likely an idle one, and its client can reconnect.
 *
 * @returns a function that limits the connections of a server, in addition to those of the other servers. Call it before the server gets
 *   connections.
 */
export function limitConnections({ perNetwork, total = descriptorsForClients(), isProxy }: ConnectionLimits) {
  /** The open connections by network, oldest first. */
  const networks = new Map<string, Set<Socket>>();
  let count = 0;

  const makeRoom = (): void => {
    let most: Set<Socket> | undefined;
    for (const sockets of networks.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    const [oldest] = most ?? [];
    if (!most || !oldest) return;
    most.delete(oldest);
    oldest.destroy();
  };

  const admit = (socket: Socket): void => {
    count += 1;
    socket.once('close', () => {
      count -= 1;
    });
    const { remoteAddress = '' } = socket;
    if (count > total) makeRoom();
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const sockets = networks.get(network) ?? new Set();
    if (sockets.size >= perNetwork) return void socket.destroy();
    networks.set(network, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && networks.get(network) === sockets) networks.delete(network);
    });
  };
  return (server: NetServer): void => void server.prependListener('connection', admit);
}

/**
 * Makes a server handle the requests of a connection one after the other, as they are answered, and at most one of them in a turn of the
 * event loop. Node parses all requests that arrived together, thousands of short ones, and emits them at once: their work would be done
 * before any other client's, and their responses would be in memory until the client reads them. A connection with more than
 * `LIMITS.waitingRequests` behind the current one is closed.
 *
 * Call it before other listeners for requests are added; they are called when a request arrives.
 */
export function takeTurns(server: Server): void {
  // Node's types do not know the arguments of a listener.
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    for (const handler of handlers) handler.call(server, request, response);
  };
  const waiting = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    // A response has its socket when all those before it have been sent.
    if (response.socket) return handle(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > LIMITS.waitingRequests) return cut(socket);
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      setImmediate(handle, request, response);
    });
  });
}

/** Node's parser of a connection. Its types do not declare it. */
interface Parsed {
  readonly parser?: {
    /** The last request whose headers have arrived. */
    readonly incoming: IncomingMessage | null;
    /** Called with each request. After 2, which stands for an upgrade, the parser leaves the rest of what has arrived. */
    onIncoming: () => number;
  } | null;
}

/**
 * Destroys a connection, and stops parsing its requests. Otherwise Node would create objects for all those that arrived together, and an
 * error with a stack for each: 50 ms for 64 KiB, in one turn of the event loop.
 */
function cut(socket: Socket & Parsed): void {
  socket.destroy();
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

/**
 * Creates the state of a server that stops: first only `/readyz` reports it, then clients are asked to reconnect elsewhere as well.
 *
 * @param isOutdated whether the client of a connection must reconnect for another reason.
 */
export function createDeparture(isOutdated: (connection: Socket) => boolean = () => false) {
  let isLeaving = false;
  let isDraining = false;
  return {
    isLeaving: () => isLeaving,
    isDraining: () => isDraining,
    mustReconnect: (connection: Socket) => isDraining || isOutdated(connection),
    leave(): void {
      isLeaving = true;
    },
    drain(): void {
      isLeaving = true;
      isDraining = true;
    },
  };
}

/** Milliseconds between two checks of connections while the server closes. */
const CHECK_INTERVAL = 50;

/** Whether a request has arrived completely, and its response is not complete. */
const isResponding = ({ req, writableEnded }: ServerResponse) => req.complete && !writableEnded;

/** The last response on each connection that is not complete: requests may arrive before the responses to earlier ones. */
const responses = new WeakMap<Duplex, ServerResponse>();

/** Returns the last response on a connection of a server that closes gracefully; undefined if all are complete. */
export const responseOn = (socket: Duplex): ServerResponse | undefined => responses.get(socket);

/**
 * Whether the server still has to write a part of a response to a connection. Node reports a response as complete some time after its client
 * has received it: with TLS, often after the next request has arrived.
 */
export function isWritingTo(socket: Duplex): boolean {
  const response = responses.get(socket);
  // A response without the socket waits for those before it.
  return response !== undefined && !(response.writableEnded && response.socket);
}

/** Returns the request on a connection whose body has not arrived completely; undefined if there is none. */
export function incompleteRequestOn({ parser }: Socket & Parsed): IncomingMessage | undefined {
  return parser?.incoming?.complete === false ? parser.incoming : undefined;
}

/**
 * Prevents clients from keeping a server open. While it closes, Node waits for all connections that are not idle, no longer checks
 * timeouts, and does not count a connection as idle before its first request. So idle connections are closed at the next check, and those
 * that never sent anything (browsers and proxies open some in advance) at the one after it: what a client has sent may not have been read
 * before, on a busy machine. Connections on which the server waits for the client, to send the rest of a request or to receive a response,
 * are closed after `LIMITS.closingPatience`. Requests that have arrived are completed.
 *
 * @returns `begin` starts closing connections, and `end` stops it once the last one has closed.
 */
export function closeGracefully(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    responses.set(socket, response);
    // An idle connection must not keep former responses in memory.
    response.on('close', () => {
      if (responses.get(socket) === response) responses.delete(socket);
    });
  });
  const waiting = new Map<Socket, number>();
  const check = () => {
    server.closeIdleConnections();
    const now = monotonicTime();
    for (const socket of sockets) {
      const response = responseOn(socket);
      if (response && isResponding(response)) {
        waiting.delete(socket);
        continue;
      }
      const since = waiting.get(socket);
      if (since === undefined) waiting.set(socket, now);
      else if (socket.bytesRead === 0 || now - since >= LIMITS.closingPatience) socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    begin(): void {
      // Node reads from all connections between two checks, but not before a check that runs at once.
      timer = setInterval(check, CHECK_INTERVAL).unref();
    },
    end: () => clearInterval(timer),
  };
}
