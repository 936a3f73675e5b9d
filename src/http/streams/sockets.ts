/** WebSockets on `/graphql`. */

import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { ApiError } from '../../core/errors.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { LIMITS } from '../../core/limits.ts';
import { networkOf } from '../../core/networks.ts';
import { refuseCrossSiteSocket } from '../hooks/cross-site.ts';
import { problemWith } from '../hooks/message.ts';
import type { MustReconnect } from '../hooks/response.ts';
import { writeError } from '../lifecycle/bad-connection.ts';
import type { Backlogs } from './backlog.ts';
import { asError, type ServingOptions, serve } from './serving.ts';
import { SocketConnection, type Visitor } from './socket-connection.ts';

export interface SocketsOptions extends ServingOptions {
  readonly path: string;
  readonly publicUrl: string;
  /** Origins whose pages may open a socket. */
  readonly corsOrigins: readonly string[];
  /** Returns the client that opens a socket, by the headers of its request. */
  readonly visitorOf: (request: IncomingMessage) => Visitor;
  readonly mustReconnect: MustReconnect;
  readonly backlogs: Backlogs;
  /** Maximum number of WebSockets per network. */
  readonly socketsPerNetwork: number;
  /** Maximum bytes of a message from a client. */
  readonly socketFrameLimit: number;
}

export function openSockets(http: HttpServer, options: SocketsOptions) {
  const { path, publicUrl, corsOrigins, mustReconnect, visitorOf } = options;
  const { socketsPerNetwork, socketFrameLimit, backlogs, onFailure } = options;
  const connections = new Set<SocketConnection>();
  backlogs.add(() => connections.values().reduce((sum, { waiting }) => sum + waiting, 0));
  const counts = new KeyedCounts<string>();
  const accept = (request: IncomingMessage, socket: Duplex, head: Buffer, visitor: Visitor) => {
    const network = networkOf(visitor.address);
    if (counts.of(network) >= socketsPerNetwork) throw new ApiError('too_many_sockets', { retryAfter: 1 });
    server.handleUpgrade(request, socket, head, (opened) => {
      counts.increment(network);
      // Node declares a duplex stream, since a server may be given others as connections. This one never is.
      const connection = new SocketConnection(opened, socket as Socket, visitor, backlogs);
      connections.add(connection);
      serve(opened, connection, options, leave);
    });
  };
  const leave = (connection: SocketConnection) => {
    connections.delete(connection);
    counts.decrement(networkOf(connection.address));
  };
  // The types of ws lack `closeTimeout`.
  const settings = {
    noServer: true,
    clientTracking: false,
    // Compression needs memory for each socket, and would compress shared messages separately for each.
    perMessageDeflate: false,
    maxPayload: socketFrameLimit,
    // One message or ping of a socket in a turn of the event loop; no more is read from its client meanwhile. Otherwise all those that
    // arrived together, thousands of short ones, would be handled before anybody else's request.
    allowSynchronousEvents: false,
    maxFragments: LIMITS.socketMessageFragments,
    closeTimeout: LIMITS.socketCloseLimit,
    // Without a common protocol, the socket opens and is closed with 4406, which is clearer to clients than a failed handshake.
    handleProtocols: (protocols: Set<string>) => handleProtocols(protocols),
  };
  const server = new WebSocketServer(settings);
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Otherwise an error during the upgrade would be unhandled.
    socket.on('error', destroy);
    prepare(request)
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
  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.checkSigns();
  }, LIMITS.streamHeartbeat);
  heartbeat.unref();
  /** Asks every client to reconnect, to another instance or shortly after. */
  const drain = (): void => {
    for (const connection of connections) connection.end(new ApiError('restarting'));
  };
  return {
    drain,
    /** Resolves when all sockets are closed. Those that do not respond are terminated. */
    async close(): Promise<void> {
      clearInterval(heartbeat);
      drain();
      const closing = [...connections].map(
        ({ socket }) => new Promise((resolve) => socket.once('close', resolve)),
      );
      await Promise.all(closing);
    },
  };

  async function prepare(request: IncomingMessage) {
    const problem = problemWith(request);
    if (problem) throw problem;
    if (request.url?.split('?', 1)[0] !== path) {
      throw new ApiError('route_not_found', { message: `WebSockets are opened at ${path}.` });
    }
    refuseCrossSiteSocket(request, publicUrl, corsOrigins);
    // A socket on a connection from before a change of the TLS authorities could stay open indefinitely.
    if (mustReconnect(request.socket)) throw new ApiError('restarting');
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
