/** What is found in a database before a server uses it. */

/** What was found in a database that can be read. */
export interface DatabaseState {
  /** Why it takes no changes; undefined when it does. */
  readonly readOnly: string | undefined;
  /** Migrations that it has not seen. */
  readonly missingMigrations: number;
  /** Whether it has migrations that this version does not know. */
  readonly newer: boolean;
  /** Milliseconds by which the clock of its server is ahead of the given one; undefined for a file. */
  readonly clockAhead: number | undefined;
  /** The folder of its file, or the nearest one that exists; undefined for a server. */
  readonly folder: string | undefined;
}

/**
 * Compares the newest migration that a database has seen with those that are known.
 *
 * @param newest when it was made, in milliseconds since the epoch; 0 for none.
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
