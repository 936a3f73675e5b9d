import type { AbortSignalLike } from '../../core/deadline.ts';
import { unlessAborted } from '../../core/promises.ts';
import type { Snapshot } from '../database.ts';
import { databaseError } from '../errors.ts';
import type { PostgresPool } from './pool.ts';

/**
 * Opens snapshots, on a separate pool of connections: each is a repeatable-read transaction on a dedicated connection, which returns to
 * the pool when the snapshot is closed.
 */
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
        const snapshot: Snapshot = {
          async run(statement, params, statementSignal) {
            try {
              return await unlessAborted(connection.execute(statement, params), statementSignal);
            } catch (error) {
              throw databaseError(error);
            }
          },
          close() {
            closed.resolve();
            return ended;
          },
        };
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
