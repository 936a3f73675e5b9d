import { loadConfig } from '../config.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { isMissing, openDatabase } from '../db/open.ts';
import { listOrganisations } from '../db/queries/organisations.ts';
import type { Terminal } from './terminal.ts';
import { CommandError } from './terminal.ts';

/**
 * Opens the database from the settings, runs the work, and closes the database even if the work fails.
 *
 * @throws CommandError if the database does not exist or lacks migrations, and errors of the work.
 */
export async function withDatabase<T>(
  { environment }: Terminal,
  work: (database: Database) => Promise<T>,
  transactionTimeout: number = LIMITS.statementTimeout,
): Promise<T> {
  const { database: place } = loadConfig(environment);
  if (await isMissing(place.url)) {
    throw new CommandError(
      `There is no database ${place.url}. Check DATABASE_URL, or create it with "npx portico migrate".`,
    );
  }
  const database = await openDatabase({ ...place, transactionTimeout });
  try {
    if ((await database.missingMigrations()) > 0) {
      throw new CommandError('The database is not up to date. Run "npx portico migrate" first.');
    }
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws CommandError if the organisation does not exist. */
export async function requireOrganisation(database: Database, id: string): Promise<void> {
  const known = await listOrganisations(database);
  if (known.some((organisation) => organisation.id === id)) return;
  throw new CommandError(`There is no organisation "${id}". Create it with "npx portico org add".`);
}
