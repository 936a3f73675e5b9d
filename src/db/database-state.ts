/** The state of a database, as inspected before a server uses it. */
import { readFileSync } from 'node:fs';

export interface DatabaseState {
  /** Why the database is read-only; undefined if it can be written to. */
  readonly readOnly: string | undefined;
  /** Whether it is a streaming replica. */
  readonly standby: boolean;
  /** The same for each URL that leads to this database while its server runs; undefined for a file. */
  readonly identity: string | undefined;
  /** The number of pending migrations; undefined if nothing can be read without leaving files behind. */
  readonly missingMigrations: number | undefined;
  /** Whether migrations of a newer version were applied. */
  readonly newer: boolean;
  /** Milliseconds by which the clock of the database server is ahead of the given clock; undefined for a file. */
  readonly clockAhead: number | undefined;
  /** The folder of the database file, or the nearest ancestor that exists; undefined for a database server. */
  readonly folder: string | undefined;
}

/** Compares a database with the migrations of this version, by when its newest migration was created; 0 for none. */
export type CompareMigrations = (newest: number) => {
  readonly missingMigrations: number;
  readonly newer: boolean;
};

/** Returns a comparison with the migrations of a folder. Databases record migrations by when they were created, in milliseconds since the epoch. */
export function comparisonWith(folder: URL): CompareMigrations {
  // drizzle-kit writes this file, and a test compares it with the migrations.
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as {
    readonly entries: readonly { readonly when: number }[];
  };
  const known = entries.map(({ when }) => when);
  return (newest) => ({
    missingMigrations: known.filter((time) => time > newest).length,
    newer: newest > Math.max(...known),
  });
}
