import type { Command } from 'commander';
import { environmentWith, loadConfig } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';
import { backUp, restore } from '../db/backup.ts';
import type { Terminal } from './terminal.ts';

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const place = () => ({
    url: loadConfig(terminal.environment).database.directUrl,
    environment: environmentWith({}),
  });

  program
    .command('backup')
    .argument('<file>', 'a file that is not there yet')
    .description('Write everything in the database to a file, while servers use it.')
    .addHelpText('after', '\nThe key file (AUTH_KEYS_FILE) is not in it: keep a copy of that elsewhere.')
    .action(async (file: string) => {
      const database = place();
      await backUp(database, file);
      terminal.out(`${withoutPassword(database.url)} is in ${file}, which was read again.\n`);
    });

  program
    .command('restore')
    .argument('<file>', 'a backup')
    .description('Fill an empty database with a backup.')
    .action(async (file: string) => {
      const database = place();
      await restore(database, file);
      terminal.out(
        `${withoutPassword(database.url)} has what ${file} has. Run "portico migrate" before servers use it.\n`,
      );
    });
}
