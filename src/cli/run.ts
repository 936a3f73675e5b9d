import { Command, CommanderError } from 'commander';
import description from '../../package.json' with { type: 'json' };
import { ApiError } from '../core/errors.ts';
import { reasonOf } from '../core/failure.ts';
import { type Terminal, UsageError } from './terminal.ts';

type AddCommands = (program: Command, terminal: Terminal) => void;

/**
 * The functions that declare the commands, by name, in the order of the help. Only that of the given command is loaded: all of them,
 * which include the schema and the server, take more than a second.
 */
const COMMANDS: ReadonlyMap<string, () => Promise<AddCommands>> = new Map([
  ['serve', async () => (await import('./serve.ts')).addServeCommand],
  ['migrate', async () => (await import('./database-commands.ts')).addMigrateCommand],
  ['doctor', async () => (await import('./doctor.ts')).addDoctorCommand],
  ['healthcheck', async () => (await import('./healthcheck.ts')).addHealthcheckCommand],
  ['backup', async () => (await import('./database-commands.ts')).addBackupCommand],
  ['restore', async () => (await import('./database-commands.ts')).addRestoreCommand],
  ['seed', async () => (await import('./seed.ts')).addSeedCommand],
  ['org', async () => (await import('./org.ts')).addOrgCommands],
  ['user', async () => (await import('./user.ts')).addUserCommands],
  ['product', async () => (await import('./product.ts')).addProductCommands],
  ['api-key', async () => (await import('./api-key.ts')).addApiKeyCommands],
  ['keys', async () => (await import('./keys.ts')).addKeysCommands],
  ['webhook', async () => (await import('./webhook.ts')).addWebhookCommands],
  ['listen', async () => (await import('./listen.ts')).addListenCommand],
  ['trigger', async () => (await import('./trigger.ts')).addTriggerCommand],
  ['openapi', async () => (await import('./api-description.ts')).addOpenApiCommand],
  ['schema', async () => (await import('./api-description.ts')).addSchemaCommand],
]);

const FAILED = 1;
const USED_WRONGLY = 2;

/**
 * Runs one command.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid arguments.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(args[0], terminal);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has written the problem, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
    terminal.err(`${sentencesOf(error)}\n`);
    return error instanceof UsageError ? USED_WRONGLY : FAILED;
  }
}

/** @param name the first argument. */
async function createProgram(name: string | undefined, terminal: Terminal): Promise<Command> {
  const program = new Command('portico')
    .description('Run and administer Portico. Settings come from the environment, as for the server.')
    .version(description.version, '--version', 'show the version')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .helpCommand(false);
  const named = COMMANDS.get(name ?? '');
  for (const load of named ? [named] : COMMANDS.values()) (await load())(program, terminal);
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
