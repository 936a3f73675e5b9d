/** What each engine implements for backups, and what they share. */
import type { CompareMigrations } from './database-state.ts';

/** A database, and the environment of the programs that dump or load it. */
export interface BackupPlace {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The operations of one engine. */
export interface BackupEngine {
  /** Writes a consistent copy of the database to an empty file: everything committed before it began. */
  write(place: BackupPlace, file: string): Promise<void>;
  /**
   * Reads a backup to its end and checks it.
   *
   * @throws BackupError if it is damaged or not of Portico.
   */
  check(place: BackupPlace, file: string): Promise<CheckedBackup>;
  /** @throws BackupError unless the database does not exist or has no tables. */
  requireEmpty(place: BackupPlace): Promise<void>;
  /** Loads a checked backup into an empty database, completely or not at all. */
  load(place: BackupPlace, file: string): Promise<void>;
}

export interface CheckedBackup {
  /** Whether a newer version of Portico has migrated the database. */
  readonly newer: boolean;
}

/** A backup that cannot be made or used; the message says why. */
export class BackupError extends Error {}

/**
 * Compares a backup with this version of Portico.
 *
 * @param newest when its newest migration was created, in milliseconds since the epoch; undefined for a database without migrations.
 * @throws BackupError for a backup of something other than Portico.
 */
export function compareBackup(newest: number | undefined, compare: CompareMigrations): CheckedBackup {
  if (newest === undefined) throw new BackupError('This is not a Portico database.');
  return { newer: compare(newest).newer };
}
