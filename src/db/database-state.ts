/** The state of a database, as inspected before a server uses it. */

export interface DatabaseState {
  /** Why the database is read-only; undefined if it can be written to. */
  readonly readOnly: string | undefined;
  /** The number of pending migrations. */
  readonly missingMigrations: number;
  /** Whether migrations of a newer version were applied. */
  readonly newer: boolean;
  /** Milliseconds by which the clock of the database server is ahead of the given clock; undefined for a file. */
  readonly clockAhead: number | undefined;
  /** The folder of the database file, or the nearest ancestor that exists; undefined for a database server. */
  readonly folder: string | undefined;
}

/**
 * Compares the newest migration applied to a database with the migrations of this version.
 *
 * @param newest when it was created, in milliseconds since the epoch; 0 for none.
 * @param known when each migration of this version was created.
 */
export function compareMigrations(
  newest: number,
  known: readonly number[],
): Pick<DatabaseState, 'missingMigrations' | 'newer'> {
  return {
    missingMigrations: known.filter((time) => time > newest).length,
    newer: newest > Math.max(...known),
  };
}
