import type { Duplex } from 'node:stream';
import { CloseCode, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Principal } from '../../auth/policy.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Sink, StreamEnd, StreamMessage, StreamSession } from '../../subscriptions/follower.ts';
import type { Stream } from '../../subscriptions/stream.ts';
import { textFrame } from './frame.ts';

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
  readonly address: string;
}

/** Something that is followed on a socket. */
interface Followed {
  readonly stream: Stream;
  /** The client wants no more of it, or has gone. */
  return(): unknown;
}

/** One WebSocket: its caller, its subscriptions and its output. */
export class SocketConnection {
  readonly socket: WebSocket;
  readonly address: string;
  /** The client's credentials, which each operation checks again. */
  authorization: string | undefined;
  /** How many operations came so far. */
  operations = 0;
  /** Set when the client has said who it is. */
  session: StreamSession | undefined;
  /** Whether a pong came since the last check. */
  isAlive = true;
  #messages = 0;
  // Created on demand: thousands of sockets are idle, and a Map and a Set would be 5 % of their memory.
  #inProgress: Map<string, Deadline> | undefined;
  #followed: Set<Followed> | undefined;
  readonly #stream: Duplex;

  /** @param stream what the WebSocket was opened on, without extensions. */
  constructor(socket: WebSocket, stream: Duplex, { authorization, address }: Visitor) {
    this.socket = socket;
    this.#stream = stream;
    this.authorization = authorization;
    this.address = address;
  }

  /** Deadlines of running operations, by the client's id. */
  get inProgress(): Map<string, Deadline> {
    this.#inProgress ??= new Map();
    return this.#inProgress;
  }

  get followed(): Set<Followed> {
    this.#followed ??= new Set();
    return this.#followed;
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
    for (const deadline of this.#inProgress?.values() ?? []) deadline.abandon();
    for (const followed of [...(this.#followed ?? [])]) followed.return();
  }

  /** Closes with the close code of an error. */
  end(reason: ApiError): void {
    this.close(closeCodeOf(reason), reason.code);
  }

  /**
   * The reason names the cursor with which nothing is missed: of several streams that of the one that is furthest back. What is
   * sent twice on the others, clients know by its own cursor.
   */
  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    const streams = [...(this.#followed ?? [])].map(({ stream }) => stream);
    const furthestBack = streams.sort((a, b) => a.position - b.position)[0];
    const full = furthestBack ? `${reason}; cursor=${furthestBack.cursor}` : reason;
    // A reason may contain an operation id of any length.
    this.socket.close(
      code,
      [full, reason].find((text) => Buffer.byteLength(text) <= REASON_BYTES),
    );
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

  /** @param id as the client named the operation; any text is one. */
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
