import type { Duplex, Writable } from 'node:stream';
import { monotonicTime } from '../../core/clock.ts';
import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Sink } from '../../subscriptions/follower.ts';
import type { StreamMessage } from '../../subscriptions/stream-message.ts';

/** What all clients of a process have not received yet. */
export class Backlogs {
  readonly #measures: (() => number)[] = [];
  /** At most this many bytes: those of the last measurement, and all that were sent since. */
  #bytes = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  /** @param measure returns the number of bytes that are buffered for the clients of one door. */
  add(measure: () => number): void {
    this.#measures.push(measure);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether more is buffered than allowed. It is measured only if so much was sent that it could be. */
  areFull(): boolean {
    if (this.#bytes <= LIMITS.streamBacklogsBytes) return false;
    const now = monotonicTime();
    if (now - this.#measuredAt >= LIMITS.backlogsAge) {
      this.#measuredAt = now;
      this.#bytes = this.#measures.reduce((sum, measure) => sum + measure(), 0);
    }
    return this.#bytes > LIMITS.streamBacklogsBytes;
  }
}

/** What is sent on a connection and its client has not received yet. */
export abstract class Backlog {
  readonly #all: Backlogs;
  #messages = 0;
  /** The connection while it is corked. */
  #corked: Writable | undefined;

  constructor(all: Backlogs) {
    this.#all = all;
  }

  /**
   * The socket that is written to; undefined before the client has opened it. Not a response: Node ends a corked response before the text
   * that it keeps, and writes each part of that alone.
   */
  protected abstract get transport(): Writable | undefined;

  /** Number of bytes that are sent but still buffered. */
  abstract get waiting(): number;

  /** Number of bytes that the system has not accepted of the current write. */
  abstract get unsent(): number;

  /** Whether more is buffered than allowed for a client. */
  isFull(): boolean {
    const { waiting } = this;
    return (
      waiting > LIMITS.streamBacklogBytes ||
      (waiting > LIMITS.streamCatchUpBytes && this.#messages > LIMITS.streamBacklogMessages)
    );
  }

  /** Whether the client must read before it gets the next event. */
  mustRead(): boolean {
    return this.isFull() || (this.waiting > LIMITS.streamCatchUpBytes && this.#all.areFull());
  }

  /** Keeps what is sent, to write it at once: until it is uncorked, or longer than `LIMITS.corkedBytes`. */
  cork(): void {
    if (this.#corked) return;
    this.#corked = this.transport;
    this.#corked?.cork();
  }

  uncork(): void {
    const corked = this.#corked;
    this.#corked = undefined;
    corked?.uncork();
  }

  /** Counts a message of this many bytes, before it is sent. */
  protected count(bytes: number): void {
    const { waiting } = this;
    this.#messages = waiting === 0 ? 1 : this.#messages + 1;
    this.#all.count(bytes);
    if (waiting + bytes > LIMITS.corkedBytes) this.uncork();
  }
}

/**
 * Returns the number of bytes that the system has not accepted of a socket's current write. It decreases while the client reads a long
 * message, all of which counts as `writableLength` up to its last byte.
 */
export function unsentBy(socket: Duplex | null | undefined): number {
  // Node's types do not declare the handle. Node's own timeouts read the same number.
  const { _handle: handle } = (socket ?? {}) as {
    readonly _handle?: { readonly writeQueueSize?: number } | null;
  };
  return handle?.writeQueueSize ?? 0;
}

/** A connection that several operations share. */
interface Output extends Backlog {
  write(bytes: Buffer): void;
  end(reason: ApiError): void;
}

/**
 * Sends the messages of one subscription over a connection that it shares with others.
 *
 * @param encode returns the bytes of a message.
 * @param onComplete called when the subscription is complete.
 */
export const sharedSink = (
  output: Output,
  encode: (message: StreamMessage) => Buffer,
  onComplete: () => void,
): Sink => ({
  get waiting() {
    return output.waiting;
  },
  get unsent() {
    return output.unsent;
  },
  mustRead: () => output.mustRead(),
  cork: () => output.cork(),
  uncork: () => output.uncork(),
  send: (message) => output.write(encode(message)),
  end: (reason) => (reason === 'complete' ? onComplete() : output.end(reason)),
});
