import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';

/** Milliseconds between two checks of connections while the server closes. */
const CHECK_INTERVAL = 50;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Whether a request has arrived completely, and its response is not complete. */
const isResponding = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

export interface Closing {
  /** Starts closing connections. */
  begin(): void;
  /** Stops checking. Call it when the last connection has closed. */
  end(): void;
}

/**
 * Prevents clients from keeping a server open. While it closes, Node waits for all connections that are not idle, no longer checks
 * timeouts, and does not count a connection as idle before its first request. So idle connections, and those that never sent
 * anything (browsers and proxies open some in advance), are closed at once; connections on which the server waits for the client,
 * to send the rest of a request or to receive a response, are closed after `LIMITS.closingPatience`. Requests that have arrived
 * are completed.
 */
export function closeGracefully(server: Server): Closing {
  const exchanges = new Map<Socket, Exchange | undefined>();
  server.on('connection', (socket: Socket) => {
    exchanges.set(socket, undefined);
    socket.once('close', () => exchanges.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    exchanges.set(socket, { request, response });
    // An idle connection must not keep former exchanges in memory.
    response.on('close', () => {
      if (exchanges.get(socket)?.response === response) exchanges.set(socket, undefined);
    });
  });
  const waiting = new Map<Socket, number>();
  const check = () => {
    server.closeIdleConnections();
    const now = monotonicTime();
    for (const [socket, exchange] of exchanges) {
      if (exchange && isResponding(exchange)) {
        waiting.delete(socket);
        continue;
      }
      const since = waiting.get(socket) ?? now;
      waiting.set(socket, since);
      if (socket.bytesRead === 0 || now - since >= LIMITS.closingPatience) socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      timer = setInterval(check, CHECK_INTERVAL).unref();
      check();
    },
    end: () => clearInterval(timer),
  };
}
