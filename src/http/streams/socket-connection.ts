import type { Socket } from 'node:net';
import { CloseCode, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Evidence } from '../../auth/confirmation.ts';
import type { Principal } from '../../auth/policy.ts';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StreamSession } from '../../subscriptions/follower.ts';
import type { Encode, StreamMessage } from '../../subscriptions/stream-message.ts';
import type { Identify } from '../parts.ts';
import { Backlog, type Backlogs, unsentBy } from './backlog.ts';
import { textFrame } from './frame.ts';
import { RunningOperations } from './running-operations.ts';

/** Close codes of RFC 6455 and IANA. After the last two, clients reconnect. `CloseCode` of graphql-ws has the protocol's own codes. */
export const CLOSE = {
  /** Normal closure (RFC 6455, section 7.4.1) of an unused socket, for which a client need not reconnect. */
  idle: 1000,
  restarting: 1012,
  tryAgainLater: 1013,
} as const;

/** Maximum number of bytes of a close frame's reason (RFC 6455, section 5.5). */
const REASON_BYTES = 123;

/** Maximum characters of an operation id in the payload of a ping. */
const SHORT_ID = 128;

/** The client that opened a socket, by its request. */
export interface Visitor {
  readonly authorization: string | undefined;
  readonly evidence: Evidence;
  readonly address: string;
}

/** One WebSocket: its caller, its subscriptions and its output. */
export class SocketConnection extends Backlog {
  readonly socket: WebSocket;
  readonly address: string;
  /** The evidence that the client holds the key of a token. */
  #evidence: Evidence;
  /** The client's credentials, which are verified again for each operation. */
  #authorization: string | undefined;
  /** Number of operations so far. */
  requests = 0;
  /** Whether `connection_init` was received, and whether it was acknowledged. */
  progress: 'opened' | 'initialising' | 'acknowledged' = 'opened';
  /** The session of an authenticated client. */
  session: StreamSession | undefined;
  /** Whether a pong or a message was received since the last check. */
  isAlive = true;
  // Created on demand: most sockets are idle, and a Map and a Set would take 5 % of their memory.
  #operations: RunningOperations | undefined;
  readonly #stream: Socket;
  #unsentBefore = 0;

  /** @param stream the stream under the WebSocket, which must have no extensions. */
  constructor(
    socket: WebSocket,
    stream: Socket,
    { authorization, evidence, address }: Visitor,
    backlogs: Backlogs,
  ) {
    super(backlogs);
    this.socket = socket;
    this.#stream = stream;
    this.#authorization = authorization;
    this.#evidence = evidence;
    this.address = address;
  }

  get operations(): RunningOperations {
    this.#operations ??= new RunningOperations();
    return this.#operations;
  }

  /** Whether an operation is running or a stream is open. */
  get isInUse(): boolean {
    return (this.#operations?.size ?? 0) > 0;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  protected override get transport(): Socket {
    return this.#stream;
  }

  override get waiting(): number {
    return this.#stream.writableLength;
  }

  override get unsent(): number {
    return unsentBy(this.#stream);
  }

  /** Whether the client has read a part of a long message since the last call. Its pongs wait for the end of the message. */
  #hasRead(): boolean {
    const { unsent } = this;
    const hasChanged = unsent !== this.#unsentBefore;
    this.#unsentBefore = unsent;
    return hasChanged;
  }

  send(data: string): void {
    if (!this.isOpen) return;
    this.count(data.length);
    this.socket.send(data);
  }

  /**
   * Sends a whole frame. It bypasses ws, which would write header and payload separately, in twice the CPU time. Without
   * extensions ws does not queue frames, so they are sent in the order of the calls.
   */
  write(frame: Buffer): void {
    if (!this.isOpen) return;
    this.count(frame.length);
    this.#stream.write(frame);
  }

  /**
   * Sends the cursors of operations that have omitted events since their last result, each in the payload of a ping. Clients return the
   * payload in a pong, so it must be short.
   */
  #sendCursors(): void {
    if (this.waiting > 0) return;
    for (const payload of this.#operations?.newCursors() ?? []) {
      if (payload.id.length > SHORT_ID) continue;
      this.send(JSON.stringify({ type: MessageType.Ping, payload }));
    }
  }

  /** Begins the initialisation. @param shown the credentials in `connection_init`, which replace those of the request. */
  initialise({ authorization, proof }: { authorization: string | undefined; proof: unknown }): void {
    this.progress = 'initialising';
    this.#authorization = authorization ?? this.#authorization;
    if (typeof proof === 'string') this.#evidence = { ...this.#evidence, proof };
  }

  /** Ends the initialisation. @param principal null for an anonymous client. */
  acknowledge(principal: Principal | null): void {
    this.progress = 'acknowledged';
    const { address } = this;
    if (principal) this.session = { principal, address, end: (reason) => this.end(reason) };
  }

  /** Returns the client's caller. @param authorization the credentials to verify, by default those of the client. */
  identify(identify: Identify, authorization = this.#authorization): ReturnType<Identify> {
    return identify(authorization, this.address, () => this.#evidence);
  }

  /** Replaces the caller, also for open subscriptions. */
  renew(authorization: string, principal: Principal): void {
    this.#authorization = authorization;
    if (this.session) this.session.principal = principal;
  }

  /** Terminates the socket if the client has neither responded nor read since the last check, and pings it otherwise. */
  checkSigns(): void {
    const hasRead = this.#hasRead();
    if (!this.isAlive && !hasRead) {
      this.socket.terminate();
      return;
    }
    this.isAlive = false;
    if (!this.isOpen) return;
    this.#sendCursors();
    this.socket.ping();
  }

  /** Stops all operations after the client has disconnected. */
  abandon(): void {
    this.#operations?.stopAll();
  }

  /**
   * Closes the socket with the close code of an error. The reason contains the cursor to resume from: with several streams, that of
   * the stream that is furthest behind. On the others, clients detect repeated events by their cursor.
   */
  end(reason: ApiError): void {
    const streams = this.#operations?.streams ?? [];
    const furthestBack = streams.sort((a, b) => a.position.id - b.position.id)[0];
    const { code } = reason;
    this.close(closeCodeOf(reason), furthestBack ? `${code}; cursor=${furthestBack.cursor}` : code);
  }

  /** @param reason omitted if it is too long, since it may contain an operation id of any length. */
  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.socket.close(code, Buffer.byteLength(reason) <= REASON_BYTES ? reason : undefined);
    // Not while any byte of what was sent before moves.
    this.#stream.setTimeout(LIMITS.socketCloseTimeout, () => this.socket.terminate());
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

/** Encodes what is the same for all clients: each client's operation id is before it. */
const encode: Encode = ({ payload }) => Buffer.from(`${payload}}`);

/** The frames of one subscription. @param id the client's id of the operation, which may be any text. */
export function framesOf(id: string): (message: StreamMessage) => Buffer {
  const prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`);
  return (message) => textFrame(prefix, message.encodedBy(encode));
}
