import { Command, CommanderError } from 'commander';
import description from '../../package.json' with { type: 'json' };
import { ApiError } from '../core/errors.ts';
import { reasonOf } from '../core/failure.ts';
import { COMMANDS } from './commands.ts';
import { type Terminal, UsageError } from './terminal.ts';

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
    .version(description.version, '--version', 'show the version')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .helpCommand(false)
    .hook('preSubcommand', async (_, command) => {
      const declare = await COMMANDS.get(command.name())?.load();
      declare?.(command, terminal);
    });
  for (const [name, { description: summary }] of COMMANDS)
    program.command(name).description(summary).helpCommand(false);
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
