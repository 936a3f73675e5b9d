import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../core/limits.ts';

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
