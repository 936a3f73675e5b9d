import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { LIMITS } from '../../core/limits.ts';
import { turnEnd } from '../../core/turn.ts';
import { databaseError, isConnectionLost } from '../errors.ts';
import { cancelRunning } from './cancel.ts';
import type { PostgresConnection } from './connection.ts';

interface Read<T> {
  /** Sends the statement over a connection. */
  readonly read: (connection: PostgresConnection) => Promise<T>;
  readonly signal: AbortSignalLike | undefined;
  readonly caller: string;
  /** Waits for a connection in the queue of the caller, and runs the read there. */
  readonly alone: () => Promise<T>;
}

/** A read that waits for the end of this turn of the event loop, or for its result. */
interface Waiting extends Read<unknown> {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work on a connection, as {@link PostgresPool.use} does. */
type Use = (
  work: (connection: PostgresConnection) => Promise<void>,
  signal: AbortSignalLike,
) => Promise<void>;

interface SharedReadsOptions {
  /** Whether all connections are in use. */
  readonly isFull: () => boolean;
  readonly use: Use;
}

/**
 * Sends the reads that a caller starts in one turn of the event loop in few packets: up to `LIMITS.readsTogether` share a connection.
 * Each is a transaction of its own, and fails by itself. Writing to a socket and reading from it take more processor time than a small
 * statement: with 32 connections of a client that each read one order, a request takes three quarters of the time.
 *
 * Reads of different callers do not share a connection, so that none waits for a statement of another one.
 */
export class SharedReads {
  readonly #options: SharedReadsOptions;
  #waiting: Waiting[] = [];

  constructor(options: SharedReadsOptions) {
    this.#options = options;
  }

  /** @throws the signal's reason as soon as it is aborted, or the failure as `databaseError` translates it. */
  run<T>(wanted: Read<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Only the result of this read resolves the promise.
      const settle = resolve as (result: unknown) => void;
      const waiting = this.#waiting.push({ ...wanted, resolve: settle, reject });
      if (waiting === 1) void turnEnd().then(() => this.#send());
    });
  }

  #send(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    const { isFull, use } = this.#options;
    for (const together of groupsOf(reads)) {
      if (together.length > 1 && !isFull()) new Group(together).run(use);
      else for (const { alone, resolve, reject } of together) alone().then(resolve, reject);
    }
  }
}

function groupsOf(reads: readonly Waiting[]): Waiting[][] {
  const { readsTogether } = LIMITS;
  return [...Map.groupBy(reads, ({ caller }) => caller).values()].flatMap((ofOne) =>
    Array.from({ length: Math.ceil(ofOne.length / readsTogether) }, (_, index) =>
      ofOne.slice(index * readsTogether, (index + 1) * readsTogether),
    ),
  );
}

/** Reads that share a connection. */
class Group {
  readonly #reads: readonly Waiting[];
  /** The reads whose results are awaited: they are neither settled nor aborted. */
  readonly #awaited: Set<Waiting>;
  /** The number of statements that have been sent and have no result yet. */
  #running = 0;
  /** Aborted when no result is awaited any more, before all statements have ended. */
  readonly #abandoned = new AbortController();
  #connection: PostgresConnection | undefined;

  constructor(reads: readonly Waiting[]) {
    this.#reads = reads;
    this.#awaited = new Set(reads);
  }

  run(use: Use): void {
    const forget = this.#reads.map((each) =>
      onAbort(each.signal, () => {
        each.reject(each.signal?.reason);
        this.#leave(each);
      }),
    );
    use((connection) => this.#send(connection), this.#abandoned.signal)
      // Without a connection, none of them has run. Those that have settled are not affected.
      .catch((error: unknown) => {
        for (const { reject } of this.#reads) reject(error);
      })
      .finally(() => {
        for (const each of forget) each();
      });
  }

  async #send(connection: PostgresConnection): Promise<void> {
    connection.gather();
    this.#connection = connection;
    const results = [...this.#awaited].map((each) => this.#settle(each, connection));
    const lost = (await Promise.allSettled(results)).find((result) => result.status === 'rejected');
    // `use` discards the connection.
    if (lost) throw lost.reason;
  }

  /** Runs a read for its caller. @throws the error of a broken connection. */
  async #settle(each: Waiting, connection: PostgresConnection): Promise<void> {
    this.#running += 1;
    try {
      each.resolve(await each.read(connection));
    } catch (error) {
      each.reject(databaseError(error));
      if (isConnectionLost(error)) throw error;
    } finally {
      this.#running -= 1;
      this.#leave(each);
    }
  }

  /**
   * Cancels statements whose results are no longer awaited. While one is awaited, the statement that runs may be that one. A cancellation
   * ends one statement, so each result of a group that was abandoned causes another one.
   */
  #leave(read: Waiting): void {
    this.#awaited.delete(read);
    const isDone = this.#connection && this.#running === 0;
    if (this.#awaited.size > 0 || isDone) return;
    if (!this.#abandoned.signal.aborted) this.#abandoned.abort();
    else if (this.#connection) cancelRunning(this.#connection.client);
  }
}
