import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { exists } from '../../core/private-files.ts';
import type { DatabaseState } from '../database-state.ts';
import { compareMigrations, fileOf, newestMigration, withClient } from './location.ts';

/** Inspects a database file. A missing file counts as an empty database. @throws an Error that says why the file cannot be read. */
export function inspectSqlite(url: string): DatabaseState {
  const file = fileOf(url);
  const isThere = exists(file);
  const folder = nearestFolder(dirname(file));
  const refusal = isThere ? whyReadOnly(file) : undefined;
  // SQLite would create a log beside the file, with the permissions of the file, and could not delete it.
  const isUnreadable = refusal !== undefined && !existsSync(`${file}-wal`);
  return {
    readOnly: refusal ?? whyReadOnly(folder),
    ...(isUnreadable
      ? { missingMigrations: undefined, newer: false }
      : compareMigrations(isThere ? newestMigrationOf(file) : 0)),
    standby: false,
    identity: undefined,
    clockAhead: undefined,
    folder,
  };
}

function newestMigrationOf(file: string): number {
  const hasLog = existsSync(`${file}-wal`);
  if (hasLog && !existsSync(`${file}-shm`)) {
    throw new Error(`${file}-wal exists without ${file}-shm, and reading it would create that file`);
  }
  // The last connection to close writes the log into the file and deletes the log; a read-only connection cannot, and would leave behind
  // an empty log that it had created. So the connection is read-only only if there is a log, and creates none that stays.
  return withClient(file, newestMigration, { readonly: hasLog }) ?? 0;
}

/** The folder itself, or the nearest ancestor that exists. */
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
