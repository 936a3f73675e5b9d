import type { Command } from 'commander';
import { environmentWith, loadConfig } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';
import { backUp, restore } from '../db/backup.ts';
import { inspectDatabase, migrate } from '../db/open.ts';
import { unusable } from './database.ts';
import { filePath } from './options.ts';
import type { Terminal } from './terminal.ts';

const urlOf = ({ environment }: Terminal) => loadConfig(environment).database.directUrl;

export function declareMigrate(command: Command, terminal: Terminal): void {
  command
    .addHelpText(
      'after',
      '\nSeveral instances may run it at the same time: one migrates, and the others wait.',
    )
    .action(async () => {
      const url = urlOf(terminal);
      await migrate(url).catch(unusable(url));
      const { newer } = await inspectDatabase(url, Date.now);
      // Nothing more is certain: the words for the search may have been indexed again, as this version splits texts.
      const further = newer ? ' A newer version has migrated it.' : '';
      terminal.out(`${withoutPassword(url)} is up to date.${further}\n`);
    });
}

export function declareBackup(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file that does not exist yet', filePath)
    .addHelpText(
      'after',
      '\nThe backup does not contain the key file (AUTH_KEYS_FILE): keep a copy of it elsewhere.',
    )
    .action(async (file: string) => {
      const url = urlOf(terminal);
      const { newer } = await backUp({ url, environment: environmentWith({}) }, file);
      const further = newer
        ? ' A newer version has migrated the database, and only that can restore it.'
        : '';
      terminal.out(
        `Backed up ${withoutPassword(url)} to ${file}, and read the file back to verify it.${further}\n`,
      );
    });
}

export function declareRestore(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a backup', filePath)
    .addHelpText('after', '\nRun "npx portico migrate" afterwards: servers are not ready before.')
    .action(async (file: string) => {
      const url = urlOf(terminal);
      await restore({ url, environment: environmentWith({}) }, file);
      terminal.out(
        `Restored ${file} to ${withoutPassword(url)}. Run "npx portico migrate" before servers use it.\n`,
      );
    });
}
