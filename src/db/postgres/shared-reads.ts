import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { LIMITS } from '../../core/limits.ts';
import { databaseError, isConnectionLost } from '../errors.ts';
import type { PostgresConnection } from './connection.ts';

interface Read<T> {
  /** Sends the statement over a connection. */
  readonly read: (connection: PostgresConnection) => Promise<T>;
  readonly signal: AbortSignalLike | undefined;
  /** The organisation of its caller. */
  readonly org: string;
  /** Waits for a connection in the queue of its caller, and runs the read there. */
  readonly alone: () => Promise<T>;
}

/** A read that waits for the end of this turn of the event loop. */
interface Waiting extends Read<unknown> {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface SharedReadsOptions {
  /** Whether all connections are in use. */
  readonly isFull: () => boolean;
  /** Runs work on a connection, as {@link PostgresPool.use} does. */
  readonly use: (
    work: (connection: PostgresConnection) => Promise<void>,
    signal: AbortSignalLike,
  ) => Promise<void>;
}

/**
 * Sends the reads that start in one turn of the event loop in few packets: up to `LIMITS.readsTogether` of an organisation share a
 * connection. Each is a transaction of its own, and fails by itself. Writing to a socket and reading from it take more processor time
 * than a small statement: with 32 clients that each read one order, a request takes two thirds of the time.
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
      if (waiting === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    for (const together of groupsOf(reads)) {
      if (together.length > 1 && !this.#options.isFull()) this.#share(together);
      else for (const { alone, resolve, reject } of together) alone().then(resolve, reject);
    }
  }

  #share(reads: readonly Waiting[]): void {
    const pending = new Set(reads);
    const abandoned = new AbortController();
    const forget = reads.map((each) =>
      onAbort(each.signal, () => {
        each.reject(each.signal?.reason);
        pending.delete(each);
        // While others wait for their results, the statement that runs may be one of theirs.
        if (pending.size === 0) abandoned.abort(each.signal?.reason);
      }),
    );
    const work = async (connection: PostgresConnection): Promise<void> => {
      connection.gather();
      const settled = [...pending].map((each) =>
        settle(each, connection).finally(() => pending.delete(each)),
      );
      const lost = (await Promise.allSettled(settled)).find((result) => result.status === 'rejected');
      // `use` discards the connection.
      if (lost) throw lost.reason;
    };
    this.#options
      .use(work, abandoned.signal)
      // Without a connection, none of them has run. Those that have settled are not affected.
      .catch((error: unknown) => {
        for (const { reject } of reads) reject(error);
      })
      .finally(() => {
        for (const each of forget) each();
      });
  }
}

/** Those of different organisations do not share a connection, so that none waits for a statement of another one. */
function groupsOf(reads: readonly Waiting[]): Waiting[][] {
  const { readsTogether } = LIMITS;
  return [...Map.groupBy(reads, ({ org }) => org).values()].flatMap((ofOne) =>
    Array.from({ length: Math.ceil(ofOne.length / readsTogether) }, (_, index) =>
      ofOne.slice(index * readsTogether, (index + 1) * readsTogether),
    ),
  );
}

/** Runs a read for its caller. @throws the error of a broken connection. */
async function settle({ read, resolve, reject }: Waiting, connection: PostgresConnection): Promise<void> {
  try {
    resolve(await read(connection));
  } catch (error) {
    reject(databaseError(error));
    if (isConnectionLost(error)) throw error;
  }
}
