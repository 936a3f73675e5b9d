import type { Snapshot } from '../database.ts';
import { databaseError, statementError, unavailable } from '../errors.ts';
import type { SqliteConnection } from './connection.ts';
import type { ReadTurn } from './read-turn.ts';

/** The page cache of the connection in bytes. It is small, since a list is read once from one end to the other. */
const CACHE_BYTES = 2 * 1024 * 1024;

/**
 * Opens a read transaction on a dedicated connection. Its statements share the time for reads in each turn with all others.
 *
 * @param connection a connection that nothing else uses. It is closed with the snapshot.
 * @param onClosed called once.
 * @throws the engine's error, as `databaseError` translates it.
 */
export function openSnapshot(connection: SqliteConnection, reads: ReadTurn, onClosed: () => void): Snapshot {
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
  return {
    async run(statement, params, signal, flow) {
      return reads.run(() => {
        signal?.throwIfAborted();
        if (!client.open) throw unavailable();
        return connection.execute(statement, params);
      }, flow);
    },
    async close() {
      if (!client.open) return;
      client.close();
      onClosed();
    },
  };
}
