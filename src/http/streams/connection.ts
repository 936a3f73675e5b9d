import type { Duplex } from 'node:stream';
import { CloseCode, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Evidence } from '../../auth/confirmation.ts';
import type { Principal } from '../../auth/policy.ts';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Sink, StreamEnd, StreamMessage, StreamSession } from '../../subscriptions/follower.ts';
import { textFrame } from './frame.ts';
import { RunningOperations } from './operations.ts';

/** Close codes of RFC 6455 and IANA, at which clients come back by themselves. `CloseCode` of graphql-ws has the protocol's own. */
export const CLOSE = {
  /** Normal closure (RFC 6455, section 7.4.1): nothing was open on it that a client would come back for. */
  idle: 1000,
  restarting: 1012,
  tryAgainLater: 1013,
} as const;

/** Bytes of a close frame's reason at most (RFC 6455, section 5.5). */
const REASON_BYTES = 123;

/** Who has opened a socket, as its request says. */
export interface Visitor {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** What came with it. */
  readonly evidence: Evidence;
  readonly address: string;
}

/** One WebSocket: its caller, its subscriptions and its output. */
export class SocketConnection {
  readonly socket: WebSocket;
  readonly address: string;
  /** What shows that the client holds the key of a token. */
  evidence: Evidence;
  /** The client's credentials, which each operation checks again. */
  authorization: string | undefined;
  /** How many operations came so far. */
  requests = 0;
  /** Whether `connection_init` came, and whether it was acknowledged. */
  progress: 'opened' | 'initialising' | 'acknowledged' = 'opened';
  /** Set when the client has said who it is. */
  session: StreamSession | undefined;
  /** Whether a pong came since the last check. */
  isAlive = true;
  #messages = 0;
  // Created on demand: thousands of sockets are idle, and a Map and a Set would be 5 % of their memory.
  #operations: RunningOperations | undefined;
  readonly #stream: Duplex;

  /** @param stream what the WebSocket was opened on, without extensions. */
  constructor(socket: WebSocket, stream: Duplex, { authorization, evidence, address }: Visitor) {
    this.socket = socket;
    this.#stream = stream;
    this.authorization = authorization;
    this.evidence = evidence;
    this.address = address;
  }

  get operations(): RunningOperations {
    this.#operations ??= new RunningOperations();
    return this.#operations;
  }

  /** Whether an operation runs, or a stream is followed. */
  get isInUse(): boolean {
    return (this.#operations?.size ?? 0) > 0;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Bytes that the client has not taken yet. */
  get waiting(): number {
    return this.#stream.writableLength;
  }

  isFull(): boolean {
    return this.waiting > LIMITS.streamBacklogBytes || this.#messages > LIMITS.streamBacklogMessages;
  }

  send(data: string): void {
    if (!this.isOpen) return;
    this.#count();
    this.socket.send(data);
  }

  /**
   * Sends a whole frame. It goes past ws, which would hand header and payload to the system as two pieces; that takes this
   * process twice as long. Without extensions ws holds nothing back, so the order is that of the calls.
   */
  write(frame: Buffer): void {
    if (!this.isOpen) return;
    this.#count();
    this.#stream.write(frame);
  }

  #count(): void {
    this.#messages = this.waiting === 0 ? 1 : this.#messages + 1;
  }

  /** Replaces the caller, for open subscriptions as well. */
  renew(authorization: string, principal: Principal): void {
    this.authorization = authorization;
    if (this.session) this.session.principal = principal;
  }

  /** The client has gone: nothing that was begun here is needed. */
  abandon(): void {
    this.#operations?.stopAll();
  }

  /**
   * Closes with the close code of an error. The reason names the cursor with which nothing is missed: of several streams that of the
   * one that is furthest back. What is sent twice on the others, clients know by its own cursor.
   */
  end(reason: ApiError): void {
    const streams = this.#operations?.streams ?? [];
    const furthestBack = streams.sort((a, b) => a.position - b.position)[0];
    const { code } = reason;
    this.close(closeCodeOf(reason), furthestBack ? `${code}; cursor=${furthestBack.cursor}` : code);
  }

  /** @param reason left out where it is too long, since it may contain an operation id of any length. */
  close(code: number, reason: string): void {
    if (this.isOpen) this.socket.close(code, Buffer.byteLength(reason) <= REASON_BYTES ? reason : undefined);
  }
}

function closeCodeOf({ code, status }: ApiError): number {
  if (code === 'restarting') return CLOSE.restarting;
  if (status === 401 || status === 403) return CloseCode.Forbidden;
  // A client with an expired cursor gets an error with the oldest valid one.
  return status === 503 || status === 429 || code === 'resume_expired'
    ? CLOSE.tryAgainLater
    : CloseCode.InternalServerError;
}

const FORM = 'websocket';

/** The way of one subscription over its socket. */
export class SocketSink implements Sink {
  readonly #connection: SocketConnection;
  readonly #prefix: Buffer;
  readonly #onComplete: () => void;

  /**
   * @param id as the client named the operation; any text is one.
   * @param onComplete called when there is nothing more to come.
   */
  constructor(connection: SocketConnection, id: string, onComplete: () => void) {
    this.#connection = connection;
    this.#prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`);
    this.#onComplete = onComplete;
  }

  get waiting(): number {
    return this.#connection.waiting;
  }

  isFull(): boolean {
    return this.#connection.isFull();
  }

  /** The common part of a message, made once; each client gets its own id before it. */
  send(message: StreamMessage): void {
    message.forms ??= new Map();
    let rest = message.forms.get(FORM);
    if (!rest) {
      rest = Buffer.from(`${message.payload}}`);
      message.forms.set(FORM, rest);
    }
    this.#connection.write(textFrame(this.#prefix, rest));
  }

  end(reason: StreamEnd): void {
    if (reason === 'complete') this.#onComplete();
    else this.#connection.end(reason);
  }
}
