import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Principal } from '../../auth/policy.ts';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StreamSession } from '../../subscriptions/follower.ts';
import type { Encode, StreamMessage } from '../../subscriptions/stream-message.ts';
import { Backlog, type Backlogs, unsentBy } from './backlog.ts';
import { block, endEventStream, retryDelay } from './event-stream.ts';
import { RunningOperations } from './running-operations.ts';

/**
 * A stream of events with the results of several operations, from its reservation to its end. Events are buffered until the
 * client opens it.
 */
export class SharedStream extends Backlog implements StreamSession {
  principal: Principal;
  readonly address: string;
  readonly operations = new RunningOperations();
  /** Whether the stream has ended. No operation can start on it any more. */
  isOver = false;
  readonly #onEnd: () => void;
  readonly #reserved: NodeJS.Timeout;
  #response: ServerResponse | undefined;
  #unopened: Buffer[] = [];
  /** Number of bytes that wait for the client to open the stream. Those of an open stream are buffered by its response. */
  pending = 0;

  /** @param onEnd called once, when the stream has ended or was not opened in time. */
  constructor(principal: Principal, address: string, backlogs: Backlogs, onEnd: () => void) {
    super(backlogs);
    this.principal = principal;
    this.address = address;
    this.#onEnd = onEnd;
    this.#reserved = setTimeout(() => this.close(), LIMITS.streamReservationTimeout);
    this.#reserved.unref();
  }

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  protected override get transport(): Socket | undefined {
    return this.#response?.socket ?? undefined;
  }

  override get waiting(): number {
    return this.pending + (this.#response?.writableLength ?? 0);
  }

  override get unsent(): number {
    return unsentBy(this.#response?.socket);
  }

  /** Opens the stream on the response to the client, and sends the buffered events. */
  open(response: ServerResponse): void {
    clearTimeout(this.#reserved);
    this.#response = response;
    response.write(block({ retry: retryDelay() }));
    for (const bytes of this.#unopened) response.write(bytes);
    this.#unopened = [];
    this.pending = 0;
  }

  write(bytes: Buffer): void {
    if (this.isOver) return;
    this.count(bytes.length);
    if (this.#response) {
      this.#response.write(bytes);
      return;
    }
    this.#unopened.push(bytes);
    this.pending += bytes.length;
  }

  /** Sends the only result of an operation, and its end. */
  sendResult(id: string, result: object): void {
    this.write(Buffer.from(block({ event: 'next', data: JSON.stringify({ id, payload: result }) })));
    this.sendComplete(id);
  }

  sendComplete(id: string): void {
    this.write(Buffer.from(block({ event: 'complete', data: JSON.stringify({ id }) })));
  }

  /** Ends the stream and its operations. The protocol has no event for the reason; clients reconnect. */
  end({ code, retryAfter }: ApiError): void {
    if (this.isOver) return;
    const response = this.#response;
    this.close();
    if (response) endEventStream(response, `: ${code}\n${block({ retry: retryDelay(retryAfter) })}`);
  }

  /** Ends the stream after the client has disconnected, or has not opened it in time. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#reserved);
    this.#unopened = [];
    this.pending = 0;
    this.operations.stopAll();
    this.#onEnd();
  }
}

/** Encodes what is the same for all clients: each client's operation id is before it. */
const encode: Encode = ({ payload }) => Buffer.from(`${payload}}\n\n`);

/** The events of one subscription. @param id the client's id of the operation. */
export function eventsOf(id: string): (message: StreamMessage) => Buffer {
  const prefix = Buffer.from(`event: next\ndata: {"id":${JSON.stringify(id)},"payload":`);
  return (message) => Buffer.concat([prefix, message.encodedBy(encode)]);
}
