/** WebSockets on `/graphql`. */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../core/errors.ts';
import { isAmbiguous } from '../../core/json-text.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { LIMITS } from '../../core/limits.ts';
import { networkOf } from '../../core/networks.ts';
import type { RequestCost } from '../../pipeline/request-cost.ts';
import type { StreamRegistry } from '../../subscriptions/stream-registry.ts';
import { refuseCrossSiteSocket } from '../hooks/cross-site.ts';
import { writeError } from '../lifecycle/bad-connection.ts';
import { isOutdated } from '../tls/server.ts';
import type { Protocol } from './protocol.ts';
import { CLOSE, SocketConnection, type Visitor } from './socket-connection.ts';

export interface SocketsOptions {
  readonly path: string;
  readonly publicUrl: string;
  /** Origins whose pages may open a socket. */
  readonly corsOrigins: readonly string[];
  readonly protocol: Protocol;
  readonly streams: StreamRegistry;
  /** Returns the cost of a message, charged to the budget of the socket's caller. */
  readonly requestCostOf: (connection: SocketConnection) => Pick<RequestCost, 'pay'>;
  /** Returns the client that opens a socket, by the headers of its request. */
  readonly visitorOf: (request: IncomingMessage) => Visitor;
  /** Maximum number of WebSockets per network. */
  readonly socketsPerNetwork: number;
  /** Maximum bytes of a message from a client. */
  readonly socketFrameLimit: number;
  /** Milliseconds for which a socket without credentials may stay open without an operation. */
  readonly anonymousSocketTimeout: number;
  readonly isDraining: () => boolean;
  /** Called with internal errors of messages. */
  readonly onFailure: (error: unknown) => void;
}

export interface Sockets {
  /** Asks every client to reconnect, to another instance or shortly after. */
  drain(): void;
  /** Resolves when all sockets are closed. Those that do not respond are terminated. */
  close(): Promise<void>;
}

export function openSockets(http: HttpServer, options: SocketsOptions): Sockets {
  const { visitorOf, socketsPerNetwork, socketFrameLimit, onFailure } = options;
  const connections = new Set<SocketConnection>();
  const counts = new KeyedCounts<string>();
  const accept = (request: IncomingMessage, socket: Duplex, head: Buffer, visitor: Visitor) => {
    const network = networkOf(visitor.address);
    if (counts.of(network) >= socketsPerNetwork) throw new ApiError('too_many_sockets', { retryAfter: 1 });
    server.handleUpgrade(request, socket, head, (opened) => {
      const leave = counts.add(network);
      const connection = new SocketConnection(opened, socket, visitor);
      connections.add(connection);
      serve(opened, connection, options, () => {
        connections.delete(connection);
        leave();
      });
    });
  };
  // The types of ws lack `closeTimeout`.
  const settings = {
    noServer: true,
    clientTracking: false,
    // Compression needs memory for each socket, and would compress shared messages separately for each.
    perMessageDeflate: false,
    maxPayload: socketFrameLimit,
    closeTimeout: LIMITS.socketCloseTimeout,
    // Without a common protocol, the socket opens and is closed with 4406, which is clearer to clients than a failed handshake.
    handleProtocols: (protocols: Set<string>) => handleProtocols(protocols),
  };
  const server = new WebSocketServer(settings);
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Otherwise an error during the upgrade would be unhandled.
    socket.on('error', destroy);
    prepare(request, options)
      .then((visitor) => accept(request, socket, head, visitor))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) onFailure(error);
        refuse(socket, asError(error));
      });
  });
  // Otherwise ws would send its own responses, in HTML.
  server.on('wsClientError', (error, socket, { method }) =>
    refuse(
      socket,
      method === 'GET'
        ? new ApiError('malformed_request', { message: `${error.message}.` })
        : new ApiError('method_not_allowed', { allow: 'GET' }),
    ),
  );
  const heartbeat = setInterval(() => beat(connections), LIMITS.streamHeartbeat);
  heartbeat.unref();
  const drain = () => {
    for (const connection of connections) connection.end(new ApiError('restarting'));
  };
  return {
    drain,
    async close() {
      clearInterval(heartbeat);
      drain();
      const closing = [...connections].map(
        ({ socket }) => new Promise((resolve) => socket.once('close', resolve)),
      );
      await Promise.all(closing);
    },
  };

  async function prepare(
    request: IncomingMessage,
    { path, publicUrl, corsOrigins, isDraining }: SocketsOptions,
  ) {
    if (request.url?.split('?', 1)[0] !== path) {
      throw new ApiError('route_not_found', { message: `WebSockets are opened at ${path}.` });
    }
    refuseCrossSiteSocket(request, publicUrl, corsOrigins);
    // A socket on a connection from before a change of the TLS authorities could stay open indefinitely.
    if (isDraining() || isOutdated(request.socket)) throw new ApiError('restarting');
    return visitorOf(request);
  }
}

/** Destroys a socket. It is not a closure, which would keep the upgrade request in memory while the socket is open. */
function destroy(this: Duplex): void {
  this.destroy();
}

/** Refuses an upgrade. The response has the version of the protocol (RFC 6455, section 4.4). */
function refuse(socket: Duplex, error: ApiError): void {
  // Node no longer applies timeouts, so a client could keep the socket open forever.
  socket.once('finish', () => socket.destroy());
  writeError(socket, error, { 'sec-websocket-version': '13' });
}

/** Terminates sockets that have not responded since the last check, and pings the others. */
function beat(connections: ReadonlySet<SocketConnection>): void {
  for (const connection of connections) {
    if (!connection.isAlive) {
      connection.socket.terminate();
      continue;
    }
    connection.isAlive = false;
    if (connection.isOpen) connection.socket.ping();
  }
}

function serve(
  socket: WebSocket,
  connection: SocketConnection,
  { protocol, streams, requestCostOf, anonymousSocketTimeout, isDraining, onFailure }: SocketsOptions,
  onClosed: () => void,
): void {
  let unused: NodeJS.Timeout | undefined = setTimeout(() => {
    if (connection.isInUse) unused?.refresh();
    else connection.close(CLOSE.idle, 'idle');
  }, anonymousSocketTimeout);
  unused.unref();
  let unwatch: (() => void) | undefined;
  /** Messages are handled in the order of arrival, even while one of them is being paid for. */
  let inTurn = Promise.resolve();
  // ws closes a socket after a protocol violation itself.
  socket.on('error', ignore);
  socket.on('pong', () => {
    connection.isAlive = true;
  });
  // ws sends the pong itself.
  socket.on('ping', () => refuseWhenFull(connection));
  socket.on('message', (data: RawData, isBinary: boolean) => {
    // ws verifies the UTF-8 only of text, and the protocol has no binary messages.
    if (isBinary) return connection.close(CloseCode.BadRequest, 'Binary messages are not supported');
    const text = String(data);
    inTurn = inTurn
      .then(() => pay(text))
      .then((isPaid) => {
        // An operation does not wait for the previous one to end.
        if (isPaid) receive(text).catch(fail);
      })
      .catch(fail);
  });
  const closed = protocol.open(connection);
  socket.on('close', () => {
    onClosed();
    clearTimeout(unused);
    connection.abandon();
    unwatch?.();
    closed();
  });
  if (isDraining()) connection.end(new ApiError('restarting'));

  /** Charges the sender of a long message before it is parsed, as for a body. @returns whether it was paid. */
  async function pay({ length }: string): Promise<boolean> {
    const cost = Math.floor(length / LIMITS.bodyCharactersPerPoint);
    if (cost === 0) return true;
    const paid = Promise.try(() => requestCostOf(connection).pay(cost));
    // No further data is read from the client meanwhile.
    socket.pause();
    const refusal = await paid.then(() => undefined, asError);
    if (connection.isOpen) socket.resume();
    if (refusal) connection.end(refusal);
    return refusal === undefined;
  }

  function fail(error: unknown): void {
    onFailure(error);
    connection.close(CloseCode.InternalServerError, 'internal_error');
  }

  async function receive(data: string): Promise<void> {
    connection.isAlive = true;
    refuseWhenFull(connection);
    if (!connection.isOpen) return;
    const { requests } = connection;
    if (isAmbiguous(data)) {
      connection.close(CloseCode.BadRequest, 'The message is ambiguous');
      return;
    }
    await protocol.receive(connection, data);
    // Pings and pongs do not count as use of a socket without credentials.
    if (connection.session) {
      clearTimeout(unused);
      unused = undefined;
    } else if (connection.requests > requests) unused?.refresh();
    if (connection.session && connection.isOpen) unwatch ??= streams.watch(connection.session);
  }
}

const ignore = () => {};

const asError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });

/** A client that sends requests without reading the responses is closed like one that does not read events. */
function refuseWhenFull(connection: SocketConnection): void {
  if (connection.isFull()) connection.end(new ApiError('slow_consumer'));
}
