import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { requireOrganisation, withDatabase } from './database.ts';
import { type OutputOptions, type OutputRow, writeRows } from './output.ts';
import type { Terminal } from './terminal.ts';

type Identified = { readonly id: number };

/** Returns a page of the rows of an organisation after an id, sorted by id. */
type PageAfter<Row> = (db: Database, org: string, afterId: number, size: number) => Promise<readonly Row[]>;

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
    page = await after(database, org, page.at(-1)?.id ?? 0, LIMITS.commandPage);
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
