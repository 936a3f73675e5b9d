import type { Command } from 'commander';
import { createKeyFile, readKeyFile, rotateKeyFile } from '../auth/key-file.ts';
import { loadKeys } from '../auth/keys.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { counted } from '../core/counted.ts';
import type { Database } from '../db/database.ts';
import { resealSecrets } from '../webhooks/secrets.ts';
import { withDatabase } from './database.ts';
import { filePath } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export function declareKeys(keys: Command, terminal: Terminal): void {
  keys
    .command('create')
    .description('Create the key file, shared by all instances, if there is none.')
    .option('--file <path>', 'the private JWKS (default: AUTH_KEYS_FILE)', filePath)
    .action(async ({ file }: { file?: string }) => {
      const path = file ?? loadConfig(terminal.environment).auth.keysFile;
      const made = await createKeyFile(path);
      // An existing path may be another file, or a folder, such as a container runtime creates for a file that it should mount.
      if (!made) await readKeyFile(path);
      terminal.out(made ? `Created ${path} with a new key.\n` : `${path} already exists and is unchanged.\n`);
    });
  keys
    .command('rotate')
    .description('Add a new signing key. Running servers use it within a minute, and sessions stay valid.')
    .option('--file <path>', 'the private JWKS (default: AUTH_KEYS_FILE)', filePath)
    .action(async ({ file }: { file?: string }) => {
      const kid = await rotateKeyFile(file ?? loadConfig(terminal.environment).auth.keysFile, systemClock);
      terminal.out(`New tokens are signed with the key ${kid}.\n`);
    });
  keys
    .command('reseal')
    .description(
      'Encrypt the secrets in the database with the newest key. Servers also do so within ten minutes.',
    )
    .addHelpText('after', '\nRun this before you remove a former key from the file by hand.')
    .action(() => withDatabase(terminal, (database) => reseal(database, terminal)));
}

async function reseal(database: Database, terminal: Terminal): Promise<void> {
  const file = loadConfig(terminal.environment).auth.keysFile;
  const keys = await loadKeys({ file, createWhenMissing: false, clock: systemClock });
  const { sealed, unreadable } = await resealSecrets(database, keys.createVault());
  terminal.out(`The secrets of ${counted(sealed, 'webhook')} were encrypted with the newest key.\n`);
  if (unreadable.length > 0) {
    throw new CommandError(
      `${file} lacks the keys for the secrets of some webhooks, which need new secrets: ${unreadable.join(', ')}.`,
    );
  }
}
