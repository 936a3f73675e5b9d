import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';

/** Milliseconds between two looks at the connections of a server that closes. */
const LOOK_PAUSE = 50;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Whether a client has sent all of its request, and the answer is still to be made. */
const isAnswering = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

/**
 * Lets no client keep a server from closing. Node waits for every connection that is not idle, looks after its timeouts no more
 * when it closes, and counts a connection as idle only after its first request. So those that are idle, or on which nothing ever
 * came (browsers and proxies open some in advance), are closed at once, and those on which the server waits for the client, to
 * send the rest of a request or to take an answer, after `LIMITS.closingPatience`. What is being answered is answered.
 */
export function boundClosing(app: FastifyInstance): void {
  const exchanges = new Map<Socket, Exchange | undefined>();
  app.server.on('connection', (socket: Socket) => {
    exchanges.set(socket, undefined);
    socket.once('close', () => exchanges.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    exchanges.set(socket, { request, response });
    // A connection may be idle for long, and is to hold nothing of what was answered on it.
    response.on('close', () => {
      if (exchanges.get(socket)?.response === response) exchanges.set(socket, undefined);
    });
  });
  let looking: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    const waiting = new Map<Socket, number>();
    const look = () => {
      app.server.closeIdleConnections();
      const now = monotonicTime();
      for (const [socket, exchange] of exchanges) {
        if (exchange && isAnswering(exchange)) {
          waiting.delete(socket);
          continue;
        }
        const since = waiting.get(socket) ?? now;
        waiting.set(socket, since);
        if (socket.bytesRead === 0 || now - since >= LIMITS.closingPatience) socket.destroy();
      }
    };
    looking = setInterval(look, LOOK_PAUSE).unref();
    look();
  });
  // Fastify comes to these when the last connection has gone.
  app.addHook('onClose', async () => clearInterval(looking));
}
