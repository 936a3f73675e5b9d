import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, OpenDatabase } from '../db/database.ts';
import { isMissing, openDatabase } from '../db/open.ts';
import { listOrganisations } from '../db/queries/organisations.ts';
import type { Page } from '../db/queries/shared/owned.ts';
import { type OutputOptions, type OutputRow, writeRows } from './output.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Returns a handler that names the database in a failure to reach it: the reason may be no more than that a file cannot be opened. */
export const unusable =
  (url: string) =>
  (cause: unknown): never => {
    throw new CommandError(`The database ${withoutPassword(url)} cannot be used`, { cause });
  };

/**
 * Opens the database from the settings, runs the work, and closes the database even if the work fails.
 *
 * @throws CommandError if the database does not exist or lacks migrations, and errors of the work.
 */
export async function withDatabase<T>(
  { environment }: Terminal,
  work: (database: OpenDatabase) => Promise<T>,
  transactionTimeout: number = LIMITS.statementTimeout,
): Promise<T> {
  const { database: place } = loadConfig(environment);
  if (await isMissing(place.url).catch(unusable(place.url))) {
    throw new CommandError(
      `There is no database ${place.url}. Check DATABASE_URL, or create it with "npx portico migrate".`,
    );
  }
  const database = await openDatabase({ ...place, transactionTimeout }).catch(unusable(place.url));
  try {
    if ((await database.missingMigrations().catch(unusable(place.url))) > 0) {
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

type Identified = { readonly id: number };

/** Returns a page of the rows of an organisation, sorted by id. */
type PageAfter<Row> = (db: Database, page: Page) => Promise<readonly Row[]>;

/** A kind of row that `list` shows for an organisation. */
interface Listing<Row> {
  readonly description: string;
  readonly after: PageAfter<Row>;
  readonly show: (row: Row) => OutputRow;
}

/** Yields all rows of an organisation, which are read in pages. */
export async function* allRows<Row extends Identified>(
  database: Database,
  org: string,
  after: PageAfter<Row>,
) {
  let page: readonly Row[] = [];
  do {
    page = await after(database, { org, fromId: page.at(-1)?.id ?? 0, limit: LIMITS.commandPage });
    yield* page;
  } while (page.length > 0);
}

/** Adds the command `list`, which shows all rows. */
export function addList<Row extends Identified>(
  parent: Command,
  terminal: Terminal,
  { description, after, show }: Listing<Row>,
): void {
  parent
    .command('list')
    .description(description)
    .requiredOption('--org <id>', 'the id of the organisation')
    .option('--json', 'write JSON')
    .action(({ org, json }: OutputOptions & { org: string }) =>
      withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const rows = await Array.fromAsync(allRows(database, org, after));
        writeRows(terminal, rows.map(show), { json });
      }),
    );
}
