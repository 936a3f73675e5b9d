import { CloseCode } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import { ApiError } from '../../core/errors.ts';
import { isAmbiguous } from '../../core/json-text.ts';
import { LIMITS } from '../../core/limits.ts';
import type { RequestCost } from '../../pipeline/request-cost.ts';
import type { StreamRegistry } from '../../subscriptions/stream-registry.ts';
import type { Protocol } from './protocol.ts';
import { CLOSE, type SocketConnection } from './socket-connection.ts';

export interface ServingOptions {
  readonly protocol: Protocol;
  readonly streams: StreamRegistry;
  /** Returns the cost of a message or of opening a socket, charged to the budget of the socket's caller, or of the network without one. */
  readonly requestCostOf: (caller: Pick<SocketConnection, 'session' | 'address'>) => Pick<RequestCost, 'pay'>;
  /** Milliseconds for which a socket without credentials may stay open without an operation. */
  readonly anonymousSocketTimeout: number;
  readonly isDraining: () => boolean;
  /** Called with internal errors of messages. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Handles the messages of one socket until it is closed.
 *
 * @param onClosed called once when the socket has closed. It serves all sockets, and is not a closure for each, which would take memory.
 */
export function serve(
  socket: WebSocket,
  connection: SocketConnection,
  { protocol, streams, requestCostOf, anonymousSocketTimeout, isDraining, onFailure }: ServingOptions,
  onClosed: (connection: SocketConnection) => void,
): void {
  let unused: NodeJS.Timeout | undefined = setTimeout(() => {
    if (connection.isInUse) unused?.refresh();
    else connection.close(CLOSE.idle, 'idle');
  }, anonymousSocketTimeout);
  unused.unref();
  let unwatch: (() => void) | undefined;
  /** Messages are handled in the order of arrival, even while one of them is being paid for. */
  let handled = Promise.resolve();
  /** The part of a point that short messages have cost so far. */
  let owed = 0;
  // ws closes a socket after a protocol violation itself.
  socket.on('error', ignore);
  socket.on('pong', () => {
    connection.noteSign();
    next(0);
  });
  // ws sends the pong itself.
  socket.on('ping', () => {
    refuseWhenFull(connection);
    next(0);
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    // ws verifies the UTF-8 only of text, and the protocol has no binary messages.
    if (isBinary) return connection.close(CloseCode.BadRequest, 'Binary messages are not supported');
    const text = String(data);
    // An operation does not wait for the previous one to end.
    next(text.length, () => void receive(text).catch(fail));
  });
  const closed = protocol.open(connection);
  socket.on('close', () => {
    onClosed(connection);
    clearTimeout(unused);
    connection.abandon();
    unwatch?.();
    closed();
  });
  if (isDraining()) connection.end(new ApiError('restarting'));

  /** Charges the sender of a message of this many characters, and handles it if it was paid. */
  function next(length: number, handle?: () => void): void {
    handled = handled
      .then(() => pay(length))
      .then((isPaid) => {
        if (isPaid) handle?.();
      })
      .catch(fail);
  }

  /** Charges the sender of a message before it is parsed: a long one as for a body. @returns whether it was paid. */
  async function pay(length: number): Promise<boolean> {
    if (!connection.isOpen) return false;
    owed += Math.floor(length / LIMITS.bodyCharactersPerPoint) + 1 / LIMITS.socketMessagesPerPoint;
    const cost = Math.floor(owed);
    owed -= cost;
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
    connection.noteSign();
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

/** A client that sends requests without reading the responses is closed like one that does not read events. */
function refuseWhenFull(connection: SocketConnection): void {
  if (connection.isFull()) connection.end(new ApiError('slow_consumer'));
}

/** The error for a client, of anything that was thrown. */
export const asError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });
