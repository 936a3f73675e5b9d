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

/** Handles the messages of one socket until it is closed. */
export class ServedSocket {
  readonly #connection: SocketConnection;
  readonly #options: ServingOptions;
  readonly #onClosed: (connection: SocketConnection) => void;
  /** The timer of a socket without credentials. */
  #unused: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  /** Messages are handled in the order of arrival, even while one of them is being paid for. */
  #handled = Promise.resolve();
  /** The part of a point that short messages have cost so far. */
  #owed = 0;

  /**
   * @param onClosed called once when the socket has closed. It serves all sockets, and is not a closure for each, which would take
   *   memory.
   */
  constructor(
    connection: SocketConnection,
    options: ServingOptions,
    onClosed: (connection: SocketConnection) => void,
  ) {
    this.#connection = connection;
    this.#options = options;
    this.#onClosed = onClosed;
  }

  start(): void {
    const connection = this.#connection;
    const { anonymousSocketTimeout, protocol, isDraining } = this.#options;
    this.#unused = setTimeout(() => {
      if (connection.isInUse) this.#unused?.refresh();
      else connection.close(CLOSE.idle, 'idle');
    }, anonymousSocketTimeout).unref();
    this.#listen(connection.socket);
    const closed = protocol.open(connection);
    connection.socket.on('close', () => {
      this.#onClosed(connection);
      clearTimeout(this.#unused);
      connection.abandon();
      this.#unwatch?.();
      closed();
    });
    if (isDraining()) connection.end(new ApiError('restarting'));
  }

  #listen(socket: WebSocket): void {
    // ws closes a socket after a protocol violation itself.
    socket.on('error', ignore);
    socket.on('pong', () => {
      this.#connection.noteSign();
      this.#next(0);
    });
    // ws sends the pong itself.
    socket.on('ping', () => {
      this.#refuseWhenFull();
      this.#next(0);
    });
    socket.on('message', (data: RawData, isBinary: boolean) => {
      // ws verifies the UTF-8 only of text, and the protocol has no binary messages.
      if (isBinary) return this.#connection.close(CloseCode.BadRequest, 'Binary messages are not supported');
      const text = String(data);
      // An operation does not wait for the previous one to end.
      this.#next(text.length, () => void this.#receive(text).catch((error) => this.#fail(error)));
    });
  }

  /** Charges the sender of a message of this many characters, and handles it if it was paid. */
  #next(length: number, handle?: () => void): void {
    this.#handled = this.#handled
      .then(() => this.#pay(length))
      .then((isPaid) => {
        if (isPaid) handle?.();
      })
      .catch((error) => this.#fail(error));
  }

  /** Charges the sender of a message before it is parsed: a long one as for a body. @returns whether it was paid. */
  async #pay(length: number): Promise<boolean> {
    const connection = this.#connection;
    if (!connection.isOpen) return false;
    this.#owed += Math.floor(length / LIMITS.bodyCharactersPerPoint) + 1 / LIMITS.socketMessagesPerPoint;
    const cost = Math.floor(this.#owed);
    this.#owed -= cost;
    if (cost === 0) return true;
    const paid = Promise.try(() => this.#options.requestCostOf(connection).pay(cost));
    // No further data is read from the client meanwhile.
    connection.socket.pause();
    const refusal = await paid.then(() => undefined, asError);
    if (connection.isOpen) connection.socket.resume();
    if (refusal) connection.end(refusal);
    return refusal === undefined;
  }

  #fail(error: unknown): void {
    this.#options.onFailure(error);
    this.#connection.close(CloseCode.InternalServerError, 'internal_error');
  }

  async #receive(data: string): Promise<void> {
    const connection = this.#connection;
    const { protocol, streams } = this.#options;
    connection.noteSign();
    this.#refuseWhenFull();
    if (!connection.isOpen) return;
    const { requests } = connection;
    if (isAmbiguous(data)) {
      connection.close(CloseCode.BadRequest, 'The message is ambiguous');
      return;
    }
    await protocol.receive(connection, data);
    // Pings and pongs do not count as use of a socket without credentials.
    if (connection.session) {
      clearTimeout(this.#unused);
      this.#unused = undefined;
    } else if (connection.requests > requests) this.#unused?.refresh();
    if (connection.session && connection.isOpen) this.#unwatch ??= streams.watch(connection.session);
  }

  /** A client that sends requests without reading the responses is closed like one that does not read events. */
  #refuseWhenFull(): void {
    if (this.#connection.isFull()) this.#connection.end(new ApiError('slow_consumer'));
  }
}

const ignore = () => {};

/** The error for a client, of anything that was thrown. */
export const asError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });
