import type { Deadline } from '../../core/deadline.ts';
import type { Sink } from '../../subscriptions/follower.ts';
import type { Stream } from '../../subscriptions/stream.ts';

/** An operation of a connection, from its message to its end. */
export interface RunningOperation {
  readonly id: string;
  readonly deadline: Deadline;
  /** What it goes on as, if it is a subscription that was let in. */
  stream: Stream | undefined;
  /** To be called when it is over. */
  onClosed: (() => void) | undefined;
}

/**
 * The operations of one connection, by the ids that its client gave them. An id is free as soon as the client has ended its operation,
 * or the server has sent the last message of it: the protocols of graphql-ws and graphql-sse let clients use it again.
 */
export class RunningOperations {
  readonly #byId = new Map<string, RunningOperation>();
  /** Those that were ended by the client while their work is not over yet are still here. */
  readonly #all = new Set<RunningOperation>();

  /** How many there are, with those that were ended and are still at work. */
  get size(): number {
    return this.#all.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** What is followed. */
  get streams(): Stream[] {
    return [...this.#all].flatMap(({ stream }) => stream ?? []);
  }

  /** @param deadline of its work, until it has a result or a stream. */
  begin(id: string, deadline: Deadline): RunningOperation {
    const operation = { id, deadline, stream: undefined, onClosed: undefined };
    this.#byId.set(id, operation);
    this.#all.add(operation);
    return operation;
  }

  /**
   * Starts the stream of an operation, or stops it where the client has ended the operation meanwhile.
   *
   * @param onClosed called once when the stream is no longer followed.
   */
  follow(operation: RunningOperation, stream: Stream, sink: Sink, onClosed: () => void): void {
    operation.deadline.meet();
    operation.stream = stream;
    operation.onClosed = onClosed;
    if (this.#byId.get(operation.id) === operation) stream.start(sink);
    else this.#forget(operation);
  }

  /**
   * Ends an operation that has nothing more to send than its last message.
   *
   * @returns whether its client waits for that.
   */
  finish(operation: RunningOperation): boolean {
    const isWanted = this.#byId.get(operation.id) === operation;
    if (isWanted) this.#byId.delete(operation.id);
    this.#forget(operation);
    return isWanted;
  }

  /** The client wants no more of an operation. */
  stop(id: string): void {
    const operation = this.#byId.get(id);
    if (!operation) return;
    this.#byId.delete(id);
    if (operation.stream) this.#forget(operation);
    else operation.deadline.abandon();
  }

  /** The client has gone: nothing that was begun is needed. */
  stopAll(): void {
    for (const id of [...this.#byId.keys()]) this.stop(id);
  }

  #forget(operation: RunningOperation): void {
    operation.deadline.meet();
    operation.stream?.stop();
    if (this.#all.delete(operation)) operation.onClosed?.();
  }
}
