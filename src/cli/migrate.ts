import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';
import { migrate } from '../db/open.ts';
import type { Terminal } from './terminal.ts';

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('Create the database or apply pending migrations.')
    .addHelpText(
      'after',
      '\nSeveral instances may run it at the same time: one migrates, and the others wait.',
    )
    .action(async () => {
      const { directUrl: url } = loadConfig(terminal.environment).database;
      await migrate(url);
      terminal.out(`${withoutPassword(url)} is up to date.\n`);
    });
}
