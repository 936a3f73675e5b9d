import type { AbortSignalLike } from '../../core/deadline.ts';
import type { Flow } from '../../core/fair-queue.ts';
import type { Snapshot } from '../database.ts';
import { databaseError, statementError, unavailable } from '../errors.ts';
import type { Statement } from '../statement.ts';
import type { SqliteConnection } from './connection.ts';
import type { ReadTurn } from './read-turn.ts';

/** The page cache of the connection in bytes. It is small, since a list is read once from one end to the other. */
const CACHE_BYTES = 2 * 1024 * 1024;

/** A read transaction on a dedicated connection. Its statements share the time for reads in each turn with all others. */
export class SqliteSnapshot implements Snapshot {
  readonly #connection: SqliteConnection;
  readonly #reads: ReadTurn;
  readonly #onClosed: () => void;

  /**
   * @param connection a connection that nothing else uses. It is closed with the snapshot.
   * @param onClosed called once.
   * @throws the engine's error, as `databaseError` translates it.
   */
  constructor(connection: SqliteConnection, reads: ReadTurn, onClosed: () => void) {
    this.#connection = connection;
    this.#reads = reads;
    this.#onClosed = onClosed;
    const { client } = connection;
    try {
      client.pragma(`cache_size = ${-CACHE_BYTES / 1024}`);
      client.exec('begin');
      // SQLite takes the snapshot at the first read of the transaction.
      client.prepare('select 1 from sqlite_master limit 1').get();
    } catch (error) {
      client.close();
      throw databaseError(statementError('snapshot', error));
    }
  }

  run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
  ): Promise<Result> {
    try {
      return this.#reads.run(() => {
        signal?.throwIfAborted();
        if (!this.#connection.client.open) throw unavailable();
        return this.#connection.execute(statement, params);
      }, flow);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async close(): Promise<void> {
    const { client } = this.#connection;
    if (!client.open) return;
    client.close();
    this.#onClosed();
  }
}
