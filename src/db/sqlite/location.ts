import { type BigIntStats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import Client from 'better-sqlite3';
import { makeDirectory, makePrivateFile, restrictToOwner } from '../../core/private-files.ts';
import { comparisonWith } from '../database-state.ts';

/** Returns the path of `file:data/portico.db` (relative to the working directory), `file:/var/…` or `file:///var/…`. */
export function fileOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

/** Suffixes of the files that SQLite creates next to the database: the write-ahead log, its index, and the journal used before WAL mode. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * Creates the database file if it is missing, readable by its owner only. Call it before the database is opened: SQLite creates
 * its other files with the same permissions.
 *
 * @throws the system error, and an Error for a directory or a device.
 */
export function makeDatabaseFile(file: string): void {
  makeDirectory(dirname(file));
  makePrivateFile(file);
}

/** Switches the database to WAL mode, and makes its files readable by their owner only. @throws SqliteError for a file of another kind. */
export function prepareDatabaseFile(client: Client.Database, file: string): void {
  client.pragma('journal_mode = wal');
  // Only now it is known to be a database: a wrong path changes nothing.
  for (const suffix of ['', ...BESIDE]) restrictToOwner(file + suffix);
}

/**
 * Remembers which file is at a path, and returns a check that it still is. A process keeps a file open after another one has moved or
 * deleted it, such as to restore a backup: what is written to it then is lost.
 *
 * @throws SqliteError from the check, with SQLite's code for this, which SQLite itself uses only without a write-ahead log.
 */
export function pinFile(file: string): () => void {
  const { dev, ino } = statSync(file, { bigint: true });
  return () => {
    const found = statIfFound(file);
    if (found?.ino === ino && found.dev === dev) return;
    throw new Client.SqliteError(
      `${file} was replaced or removed while the database was open`,
      'SQLITE_READONLY_DBMOVED',
    );
  };
}

/** Undefined as well for a file that cannot be looked at, such as in a folder without permission: no other process finds it either. */
function statIfFound(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Opens a database file that exists for the work of a command, and closes it. */
export function withClient<T>(
  file: string,
  work: (client: Client.Database) => T,
  { readonly = true }: { readonly?: boolean } = {},
): T {
  const client = new Client(file, { readonly, fileMustExist: true });
  try {
    return work(client);
  } finally {
    client.close();
  }
}

export const compareMigrations = comparisonWith(new URL('./migrations/', import.meta.url));

/** When the newest applied migration was created, in milliseconds since the epoch; undefined for none. */
export function newestMigration(client: Client.Database): number | undefined {
  const isNew =
    client.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get() === undefined;
  const newest = isNew
    ? undefined
    : client.prepare('select max(created_at) from __drizzle_migrations').pluck().get();
  return typeof newest === 'number' ? newest : undefined;
}
