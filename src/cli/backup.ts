import type { Command } from 'commander';
import { environmentWith, loadConfig } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';
import { backUp, restore } from '../db/backup.ts';
import type { Terminal } from './terminal.ts';

const databaseOf = (terminal: Terminal) => ({
  url: loadConfig(terminal.environment).database.directUrl,
  environment: environmentWith({}),
});

export function addBackupCommand(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .argument('<file>', 'a file that does not exist yet')
    .description('Write the whole database to a file. Servers can keep running.')
    .addHelpText(
      'after',
      '\nThe backup does not contain the key file (AUTH_KEYS_FILE): keep a copy of it elsewhere.',
    )
    .action(async (file: string) => {
      const database = databaseOf(terminal);
      await backUp(database, file);
      terminal.out(
        `Backed up ${withoutPassword(database.url)} to ${file}, and read the file back to verify it.\n`,
      );
    });
}

export function addRestoreCommand(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .argument('<file>', 'a backup')
    .description('Restore a backup into an empty database.')
    .action(async (file: string) => {
      const database = databaseOf(terminal);
      await restore(database, file);
      terminal.out(
        `Restored ${file} to ${withoutPassword(database.url)}. Run "npx portico migrate" before servers use it.\n`,
      );
    });
}
