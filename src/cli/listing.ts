import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { requireOrganisation, withDatabase } from './database.ts';
import { type OutputOptions, type OutputRow, writeRows } from './output.ts';
import type { Terminal } from './terminal.ts';

/** A kind of row that `list` shows for an organisation. */
interface Listing<Row extends { readonly id: number }> {
  readonly description: string;
  /** Returns a page of the rows after an id, sorted by id. */
  readonly after: (db: Database, org: string, afterId: number, size: number) => Promise<readonly Row[]>;
  readonly show: (row: Row) => OutputRow;
}

/** Adds the command `list`, which shows all rows. */
export function addList<Row extends { readonly id: number }>(
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
        const rows: Row[] = [];
        let page: readonly Row[];
        do {
          page = await after(database, org, rows.at(-1)?.id ?? 0, LIMITS.commandPage);
          rows.push(...page);
        } while (page.length > 0);
        writeRows(terminal, rows.map(show), { json });
      }),
    );
}
