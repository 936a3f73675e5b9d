/** WebSockets on `/graphql`. */

import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { ApiError } from '../../core/errors.ts';
import { KeyedCounts } from '../../core/keyed-counts.ts';
import { LIMITS } from '../../core/limits.ts';
import { networkOf } from '../../core/networks.ts';
import { toApiError } from '../../graphql/errors.ts';
import { reporter } from '../../observability/log.ts';
import { evidenceOf } from '../hooks/authentication.ts';
import { removeForwardedPorts } from '../hooks/client-address.ts';
import { refuseCrossSiteSocket } from '../hooks/cross-site.ts';
import { pathIn, problemWith } from '../hooks/message.ts';
import { commonHeaders } from '../hooks/response.ts';
import { handleErrors, refuseDetached } from '../lifecycle/bad-connection.ts';
import type { HttpParts } from '../parts.ts';
import type { Backlogs } from './backlog.ts';
import { ServedSocket, type ServingParts } from './serving.ts';
import { SocketConnection, type Visitor } from './socket-connection.ts';

/** The path at which sockets are opened. */
const PATH = '/graphql';

/** The open WebSockets of a server. */
export class Sockets {
  readonly #parts: ServingParts;
  readonly #backlogs: Backlogs;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<SocketConnection>();
  readonly #counts = new KeyedCounts<string>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(http: HttpServer, backlogs: Backlogs, parts: HttpParts) {
    const onFailure = reporter(parts.logger)('a socket failed');
    const onClosed = (connection: SocketConnection) => {
      this.#connections.delete(connection);
      this.#counts.decrement(networkOf(connection.address));
    };
    this.#parts = { ...parts, onFailure, onClosed };
    this.#backlogs = backlogs;
    backlogs.add(() => this.#connections.values().reduce((sum, { waiting }) => sum + waiting, 0));
    // The types of ws lack `closeTimeout`.
    const settings = { ...SETTINGS, maxPayload: parts.config.connections.socketFrameLimit };
    this.#server = new WebSocketServer(settings);
    // Otherwise ws would send its own responses, in HTML.
    const refuse = refuseUpgrades(commonHeaders(parts.config.http));
    this.#server.on('wsClientError', (error, socket, { method }) =>
      refuse(
        socket,
        method === 'GET'
          ? new ApiError('malformed_request', { message: `${error.message}.` })
          : new ApiError('method_not_allowed', { allow: 'GET' }),
      ),
    );
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      handleErrors(socket);
      Promise.try(() => this.#upgrade(request, socket, head)).catch((error: unknown) => {
        if (!(error instanceof ApiError)) onFailure(error);
        refuse(socket, toApiError(error));
      });
    });
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections) connection.checkSigns();
    }, LIMITS.streamHeartbeat).unref();
  }

  /** Asks every client to reconnect, to another instance or shortly after. */
  drain(): void {
    for (const connection of this.#connections) connection.end(new ApiError('restarting'));
  }

  /** Resolves when all sockets are closed. Those that do not respond are terminated. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.drain();
    await Promise.all(
      [...this.#connections].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve))),
    );
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const visitor = this.#visitorOf(request);
    const network = networkOf(visitor.address);
    if (this.#counts.of(network) >= this.#parts.config.connections.socketsPerNetwork) {
      throw new ApiError('too_many_sockets', { retryAfter: 1 });
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#counts.increment(network);
      // Node declares a duplex stream, since a server may be given others as connections. This one never is.
      const connection = new SocketConnection(opened, socket as Socket, visitor, this.#backlogs);
      this.#connections.add(connection);
      new ServedSocket(connection, this.#parts).start();
    });
  }

  /** Returns the client that asks for a socket. @throws ApiError if it may not open one. */
  #visitorOf(request: IncomingMessage): Visitor {
    const { config, mustReconnect, readForwarded, serverUrls, trust } = this.#parts;
    const problem = problemWith(request);
    if (problem) throw problem;
    if (pathIn(request.url) !== PATH) {
      throw new ApiError('route_not_found', { message: `WebSockets are opened at ${PATH}.` });
    }
    refuseCrossSiteSocket(request, config.http);
    // A socket on a connection from before a change of the TLS authorities could stay open indefinitely.
    if (mustReconnect(request.socket)) throw new ApiError('restarting');
    readForwarded?.(request);
    removeForwardedPorts(request);
    return {
      authorization: request.headers.authorization,
      evidence: evidenceOf(request, config.http.publicUrl, serverUrls),
      address: proxyAddr(request, trust),
    };
  }
}

const SETTINGS = {
  noServer: true,
  clientTracking: false,
  // Compression needs memory for each socket, and would compress shared messages separately for each.
  perMessageDeflate: false,
  // One message or ping of a socket in a turn of the event loop; no more is read from its client meanwhile. Otherwise all those that
  // arrived together, thousands of short ones, would be handled before anybody else's request.
  allowSynchronousEvents: false,
  maxFragments: LIMITS.socketMessageFragments,
  closeTimeout: LIMITS.socketCloseLimit,
  // Without a common protocol, the socket opens and is closed with 4406, which is clearer to clients than a failed handshake.
  handleProtocols: (protocols: Set<string>) => handleProtocols(protocols),
};

/** Refuses an upgrade. The response has the version of the protocol (RFC 6455, section 4.4). @param headers the headers of all responses. */
function refuseUpgrades(headers: Readonly<Record<string, string>>) {
  const all = { ...headers, 'sec-websocket-version': '13' };
  return (socket: Duplex, error: ApiError): void => refuseDetached(socket, error, all);
}
