import type { Deadline } from '../../core/deadline.ts';
import type { Sink } from '../../subscriptions/follower.ts';
import type { Stream } from '../../subscriptions/stream.ts';

/** An operation of a connection, from its first message to its end. */
export interface RunningOperation {
  readonly id: string;
  readonly deadline: Deadline;
  /** The stream of an admitted subscription. */
  stream: Stream | undefined;
  /** Called when the operation has ended. */
  onClosed: (() => void) | undefined;
}

/**
 * The operations of one connection, by the client's ids. An id is free as soon as the client has ended its operation or the server
 * has sent the operation's last message: the protocols of graphql-ws and graphql-sse allow clients to reuse it.
 */
export class RunningOperations {
  readonly #byId = new Map<string, RunningOperation>();
  /** All operations, including those that the client has ended but that are still running. */
  readonly #all = new Set<RunningOperation>();

  /** Number of operations, including those that the client has ended but that are still running. */
  get size(): number {
    return this.#all.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The streams of subscriptions. */
  get streams(): Stream[] {
    return [...this.#all].flatMap(({ stream }) => stream ?? []);
  }

  /** The operations whose position has moved since the last cursor that the client got, with the cursor. Each is returned once. */
  newCursors(): { readonly id: string; readonly cursor: string }[] {
    return [...this.#byId.values()].flatMap(({ id, stream }) => {
      const cursor = stream?.newCursor();
      return cursor === undefined ? [] : { id, cursor };
    });
  }

  /** @param deadline the deadline until the operation has a result or a stream. */
  begin(id: string, deadline: Deadline): RunningOperation {
    const operation = { id, deadline, stream: undefined, onClosed: undefined };
    this.#byId.set(id, operation);
    this.#all.add(operation);
    return operation;
  }

  /**
   * Starts the stream of an operation, or stops it if the client has ended the operation meanwhile.
   *
   * @param onClosed called once when the stream has ended.
   */
  follow(operation: RunningOperation, stream: Stream, sink: Sink, onClosed: () => void): void {
    operation.deadline.meet();
    operation.stream = stream;
    operation.onClosed = onClosed;
    if (this.#byId.get(operation.id) === operation) stream.start(sink);
    else this.#forget(operation);
  }

  /** Ends an operation that has only its last message left to send. @returns whether its client still expects that message. */
  finish(operation: RunningOperation): boolean {
    const isWanted = this.#byId.get(operation.id) === operation;
    if (isWanted) this.#byId.delete(operation.id);
    this.#forget(operation);
    return isWanted;
  }

  /** Stops an operation that the client has ended. */
  stop(id: string): void {
    const operation = this.#byId.get(id);
    if (!operation) return;
    this.#byId.delete(id);
    if (operation.stream) this.#forget(operation);
    else operation.deadline.abandon();
  }

  /** Stops all operations, after the client has disconnected. */
  stopAll(): void {
    for (const id of [...this.#byId.keys()]) this.stop(id);
  }

  #forget(operation: RunningOperation): void {
    operation.deadline.meet();
    operation.stream?.stop();
    if (this.#all.delete(operation)) operation.onClosed?.();
  }
}
