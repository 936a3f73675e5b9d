import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Client from 'better-sqlite3';
import { compareMigrations, type DatabaseState } from '../database-state.ts';
import { migrationTimes } from '../journal.ts';
import { fileOf } from './location.ts';

const MIGRATION_TIMES = migrationTimes(new URL('./migrations/', import.meta.url));

/** @throws an Error that says why the file cannot be read. A file that is missing is an empty database. */
export function inspectSqlite(url: string): DatabaseState {
  const file = fileOf(url);
  const exists = existsSync(file);
  const folder = nearestFolder(dirname(file));
  return {
    readOnly: [...(exists ? [file] : []), folder].map(whyReadOnly).find((reason) => reason !== undefined),
    ...compareMigrations(exists ? newestMigration(file) : 0, MIGRATION_TIMES),
    clockAhead: undefined,
    folder,
  };
}

function newestMigration(file: string): number {
  const hasLog = existsSync(`${file}-wal`);
  if (hasLog && !existsSync(`${file}-shm`)) {
    throw new Error(`${file}-wal is there without ${file}-shm, and reading it would create that`);
  }
  // The last connection to close writes the log into the file and removes it, unless it is one that cannot write: that would leave
  // behind an empty log that it had created. So a log that exists stays, and one that does not exist goes away again.
  const client = new Client(file, { readonly: hasLog, fileMustExist: true });
  try {
    const isNew =
      client.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get() === undefined;
    if (isNew) return 0;
    return Number(client.prepare('select max(created_at) from __drizzle_migrations').pluck().get() ?? 0);
  } finally {
    client.close();
  }
}

/** The folder, or the one that it would be created in. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function whyReadOnly(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
