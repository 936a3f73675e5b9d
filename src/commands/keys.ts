import type { Command } from 'commander';
import { createKeyFile, rotateKeyFile } from '../auth/key-file.ts';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import type { Terminal } from './terminal.ts';

export function addKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('The keys that sign access tokens.').helpCommand(false);
  keys
    .command('create')
    .description('Makes the file with a first key, where there is none. Instances share it.')
    .option('--file <path>', 'the private JWKS, in place of AUTH_KEYS_FILE')
    .action(async ({ file }: { file?: string }) => {
      const path = file ?? loadConfig(terminal.environment).authKeysFile;
      const made = await createKeyFile(path);
      terminal.out(made ? `${path} has a new key.\n` : `${path} is there already, and stays as it is.\n`);
    });
  keys
    .command('rotate')
    .description('Adds a new signing key. Running servers notice within a minute, and nobody is signed out.')
    .option('--file <path>', 'the private JWKS, in place of AUTH_KEYS_FILE')
    .action(async ({ file }: { file?: string }) => {
      const kid = await rotateKeyFile(file ?? loadConfig(terminal.environment).authKeysFile, systemClock);
      terminal.out(`New tokens are signed with the key ${kid}.\n`);
    });
}
