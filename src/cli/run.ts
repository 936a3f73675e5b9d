import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { ApiError } from '../core/errors.ts';
import { reasonOf } from '../core/failure.ts';
import { addApiKeyCommands } from './api-key.ts';
import { addBackupCommands } from './backup.ts';
import { addDoctorCommand } from './doctor.ts';
import { UsageError } from './errors.ts';
import { addKeysCommands } from './keys.ts';
import { addListenCommand } from './listen.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOpenApiCommand } from './openapi.ts';
import { addOrgCommands } from './org.ts';
import { addProductCommands } from './product.ts';
import { addSchemaCommand } from './schema.ts';
import { addSeedCommand } from './seed.ts';
import { addServeCommand } from './serve.ts';
import type { Terminal } from './terminal.ts';
import { addTriggerCommand } from './trigger.ts';
import { addUserCommands } from './user.ts';
import { addWebhookCommands } from './webhook.ts';

// The package's own description.
const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
};

const FAILED = 1;
const USED_WRONGLY = 2;

/**
 * Runs one command.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid arguments.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has written the problem, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
    terminal.err(`${sentencesOf(error)}\n`);
    return error instanceof UsageError ? USED_WRONGLY : FAILED;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('portico')
    .description('Run and administer Portico. Settings come from the environment, as for the server.')
    .version(VERSION, '--version', 'show the version')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .helpCommand(false);
  addServeCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addDoctorCommand(program, terminal);
  addBackupCommands(program, terminal);
  addSeedCommand(program, terminal);
  addOrgCommands(program, terminal);
  addUserCommands(program, terminal);
  addProductCommands(program, terminal);
  addApiKeyCommands(program, terminal);
  addKeysCommands(program, terminal);
  addWebhookCommands(program, terminal);
  addListenCommand(program, terminal);
  addTriggerCommand(program, terminal);
  addOpenApiCommand(program, terminal);
  addSchemaCommand(program, terminal);
  return program;
}

/** Returns the message of an error, or the options with invalid values and their problems. */
function sentencesOf(error: unknown): string {
  const details = error instanceof ApiError ? (error.details ?? []) : [];
  if (details.length === 0) return reasonOf(error);
  const heading =
    error instanceof ApiError && error.code !== 'validation_failed' ? error.message : 'Invalid values:';
  return [heading, ...details.map(({ path, message }) => `  ${optionOf(path)} ${message}`)].join('\n');
}

/** Returns the option of a path: `input.expiresAt` is `--expires-at`, and `input.scopes.0` is the first word of `--scopes`. */
function optionOf(path: string): string {
  const parts = path.split('.');
  const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? path;
  const index = parts.at(-1) ?? '';
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return /^\d+$/.test(index) ? `${option}, word ${Number(index) + 1},` : option;
}
