import type { Command } from 'commander';
import { addOrganisation } from '../auth/organisations.ts';
import { systemClock } from '../core/clock.ts';
import { listOrganisations } from '../db/queries/organisations.ts';
import { withDatabase } from './database.ts';
import { type OutputOptions, writeResult, writeRows } from './output.ts';
import type { Terminal } from './terminal.ts';

interface AddOptions extends OutputOptions {
  readonly name: string;
}

export function declareOrg(org: Command, terminal: Terminal): void {
  org
    .command('add')
    .description('Create an organisation. Add an administrator next: npx portico user add.')
    .argument('<id>', 'its id: a short name for paths and tokens, which never changes')
    .requiredOption('--name <name>', 'the display name')
    .option('--json', 'write JSON')
    .action((id: string, { name, json }: AddOptions) =>
      withDatabase(terminal, async (database) => {
        const made = await addOrganisation(database, systemClock, { id, name });
        writeResult(terminal, made, [`Added ${made.id} (${made.name}).`], { json });
      }),
    );
  org
    .command('list')
    .description('List all organisations.')
    .option('--json', 'write JSON')
    .action((options: OutputOptions) =>
      withDatabase(terminal, async (database) => {
        const rows = await listOrganisations(database);
        const shown = rows.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
        writeRows(terminal, shown, options);
      }),
    );
}
