import { LIMITS } from '../../core/limits.ts';

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
