/** What the engines do for backups, and what they share. */

/** A database, and the environment for programs that read or write it. */
export interface BackupPlace {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** What an engine does for backups. */
export interface BackupEngine {
  /** Writes everything that was committed when it began to an empty file. */
  write(place: BackupPlace, file: string): Promise<void>;
  /**
   * Reads a whole backup.
   *
   * @throws BackupError for one that is damaged, of something else, or of a newer version of Portico.
   */
  check(place: BackupPlace, file: string): Promise<void>;
  /** @throws BackupError unless the database is missing, or has no tables. */
  requireEmpty(place: BackupPlace): Promise<void>;
  /** Fills an empty database with a checked backup: with all of it, or with nothing. */
  load(place: BackupPlace, file: string): Promise<void>;
}

/** A backup that cannot be made or used; the message says why. */
export class BackupError extends Error {}

/**
 * Holds the newest migration that a backup has against those that are known.
 *
 * @param newest when it was made, in milliseconds since the epoch; undefined for a database without migrations.
 * @throws BackupError for a backup of a newer version, and for one that is not of Portico.
 */
export function requireKnown(newest: number | undefined, known: readonly number[]): void {
  if (newest === undefined) throw new BackupError('That is no database of Portico.');
  if (newest > Math.max(...known)) {
    throw new BackupError('That is of a newer version of Portico, which alone can restore it.');
  }
}
