import type { AbortSignalLike } from '../../core/deadline.ts';
import { unlessAborted } from '../../core/promises.ts';
import type { Snapshot } from '../database.ts';
import { databaseError } from '../errors.ts';
import type { Statement } from '../statement.ts';
import type { PostgresConnection } from './connection.ts';
import type { PostgresPool } from './pool.ts';

/** A repeatable-read transaction on a dedicated connection, which returns to its pool when the snapshot is closed. */
class PostgresSnapshot implements Snapshot {
  readonly #connection: PostgresConnection;
  readonly #close: () => Promise<void>;

  constructor(connection: PostgresConnection, close: () => Promise<void>) {
    this.#connection = connection;
    this.#close = close;
  }

  async run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
  ): Promise<Result> {
    try {
      return await unlessAborted(this.#connection.execute(statement, params), signal);
    } catch (error) {
      throw databaseError(error);
    }
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** Opens snapshots, on a separate pool of connections. */
export class PostgresSnapshots {
  readonly #pool: PostgresPool;
  readonly #open = new Set<Snapshot>();

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async open(signal: AbortSignalLike | undefined): Promise<Snapshot> {
    const opened = Promise.withResolvers<Snapshot>();
    const closed = Promise.withResolvers<void>();
    const ended = this.#pool
      .use(async (connection) => {
        await connection.command('begin snapshot');
        const snapshot = new PostgresSnapshot(connection, () => {
          closed.resolve();
          return ended;
        });
        this.#open.add(snapshot);
        opened.resolve(snapshot);
        try {
          await unlessAborted(closed.promise, signal);
          // Nothing was written, and the transaction may have failed.
          await connection.command('rollback');
        } finally {
          this.#open.delete(snapshot);
        }
      }, signal)
      // An error after the snapshot was opened has no effect here: the failed statement has reported it.
      .catch((error: unknown) => opened.reject(error));
    return opened.promise;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((snapshot) => snapshot.close()));
    await this.#pool.close();
  }
}
