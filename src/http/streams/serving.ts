import { CloseCode } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { toApiError } from '../../graphql/errors.ts';
import { flowOf } from '../../pipeline/context.ts';
import { RequestCost } from '../../pipeline/request-cost.ts';
import type { HttpParts } from '../parts.ts';
import { openProtocol, receive } from './protocol.ts';
import { CLOSE, type SocketConnection } from './socket-connection.ts';

/** What all sockets of a server share. */
export interface ServingParts extends HttpParts {
  /** Called with internal errors of messages. */
  readonly onFailure: (error: unknown) => void;
  /** Called once when a socket has closed. */
  readonly onClosed: (connection: SocketConnection) => void;
}

/** Handles the messages of one socket until it is closed. */
export class ServedSocket {
  readonly #connection: SocketConnection;
  readonly #parts: ServingParts;
  /** The timer of a socket without credentials. */
  #unused: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  /** Messages are handled in the order of arrival, even while one of them is being paid for. */
  #handled = Promise.resolve();
  /** The part of a point that short messages have cost so far. */
  #owed = 0;

  constructor(connection: SocketConnection, parts: ServingParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  start(): void {
    const connection = this.#connection;
    const { config, isDraining, onClosed } = this.#parts;
    this.#unused = setTimeout(() => {
      if (connection.isInUse) this.#unused?.refresh();
      else connection.close(CLOSE.idle, 'idle');
    }, config.connections.anonymousSocketTimeout).unref();
    this.#listen(connection.socket);
    const closed = openProtocol(connection, this.#parts);
    connection.socket.on('close', () => {
      onClosed(connection);
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
      this.#connection.isAlive = true;
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
    const paid = Promise.try(() => this.#requestCost().pay(cost));
    // No further data is read from the client meanwhile.
    connection.socket.pause();
    const refusal = await paid.then(() => undefined, toApiError);
    // Also if it is being closed: the client's confirmation must be read, or the connection would be cut after a timeout.
    connection.socket.resume();
    if (refusal) connection.end(refusal);
    return refusal === undefined;
  }

  /** The cost of a message, charged to the budget of the socket's caller, or of the network without one. */
  #requestCost(): RequestCost {
    const { budget, clock } = this.#parts.services;
    const { session, address } = this.#connection;
    return new RequestCost(budget, flowOf({ principal: session?.principal ?? null, address }), clock());
  }

  #fail(error: unknown): void {
    this.#parts.onFailure(error);
    this.#connection.close(CloseCode.InternalServerError, 'internal_error');
  }

  async #receive(data: string): Promise<void> {
    const connection = this.#connection;
    connection.isAlive = true;
    this.#refuseWhenFull();
    if (!connection.isOpen) return;
    const { requests } = connection;
    await receive(connection, data, this.#parts);
    // Pings and pongs do not count as use of a socket without credentials.
    if (connection.session) {
      clearTimeout(this.#unused);
      this.#unused = undefined;
    } else if (connection.requests > requests) this.#unused?.refresh();
    if (connection.session && connection.isOpen)
      this.#unwatch ??= this.#parts.operationRunner.streams.watch(connection.session);
  }

  /** A client that sends requests without reading the responses is closed like one that does not read events. */
  #refuseWhenFull(): void {
    if (this.#connection.isFull()) this.#connection.end(new ApiError('slow_consumer'));
  }
}

const ignore = () => {};
