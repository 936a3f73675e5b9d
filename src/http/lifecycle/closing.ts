import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';

/** Milliseconds between two checks of connections while the server closes. */
const CHECK_INTERVAL = 50;

/** Whether a request has arrived completely, and its response is not complete. */
const isResponding = ({ req, writableEnded }: ServerResponse) => req.complete && !writableEnded;

/** The last response on each connection that is not complete: requests may arrive before the responses to earlier ones. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Returns the last response on a connection of a server that closes gracefully; undefined if all are complete. */
export const responseOn = (socket: Socket): ServerResponse | undefined => responses.get(socket);

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
