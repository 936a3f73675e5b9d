import type { Stream } from '../../subscriptions/stream.ts';
import { type SocketConnection, SocketSink } from './connection.ts';

/**
 * A subscription as graphql-ws holds it: something to iterate, which gives no results, since those go to the socket directly.
 * It begins when it is asked for the first one, and is over when the stream is.
 */
export class SocketSubscription implements AsyncIterableIterator<never> {
  readonly #connection: SocketConnection;
  readonly #id: string;
  readonly stream: Stream;
  readonly #onClosed: () => void;
  readonly #done = Promise.withResolvers<IteratorReturnResult<undefined>>();
  #isOver = false;

  constructor(connection: SocketConnection, id: string, stream: Stream, onClosed: () => void) {
    this.#connection = connection;
    this.#id = id;
    this.stream = stream;
    this.#onClosed = onClosed;
    connection.followed.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<never, undefined>> {
    if (!this.#isOver) this.stream.start(new SocketSink(this.#connection, this.#id, () => this.#finish()));
    return this.#done.promise;
  }

  /** The client wants no more, or has gone. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.stream.stop();
    this.#finish();
    return this.#done.promise;
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.followed.delete(this);
    this.#onClosed();
    this.#done.resolve({ done: true, value: undefined });
  }
}
