import type { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Sink } from '../../subscriptions/follower.ts';
import type { StreamMessage } from '../../subscriptions/stream-message.ts';

/** What is sent on a connection and its client has not received yet. */
export abstract class Backlog {
  #messages = 0;

  /** Number of bytes that are sent but still buffered. */
  abstract get waiting(): number;

  /** Whether more is buffered than allowed for a client. */
  isFull(): boolean {
    return this.waiting > LIMITS.streamBacklogBytes || this.#messages > LIMITS.streamBacklogMessages;
  }

  /** Counts a message, before it is sent. */
  protected count(): void {
    this.#messages = this.waiting === 0 ? 1 : this.#messages + 1;
  }
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
  isFull: () => output.isFull(),
  send: (message) => output.write(encode(message)),
  end: (reason) => (reason === 'complete' ? onComplete() : output.end(reason)),
});
