import { Command, CommanderError, Help, type Option } from 'commander';
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
  const program = createProgram(terminal);
  let command = program;
  program.hook('preAction', (_, action) => {
    command = action;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has written the problem, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
    terminal.err(`${sentencesOf(error, command)}\n`);
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
    .configureHelp({ optionDescription })
    .helpCommand(false)
    .hook('preSubcommand', async (_, command) => {
      const declare = await COMMANDS.get(command.name())?.load();
      declare?.(command, terminal);
    });
  for (const [name, { description: summary }] of COMMANDS)
    program.command(name).description(summary).helpCommand(false);
  return program;
}

/** The help does not mark the options that a command requires by itself. */
const optionDescription = (option: Option): string =>
  option.mandatory ? `${ownDescription(option)} (required)` : ownDescription(option);

const ownDescription = (option: Option) => new Help().optionDescription(option);

/** Returns the message of an error, or the values of the command that are invalid and their problems. */
function sentencesOf(error: unknown, command: Command): string {
  const details = error instanceof ApiError ? (error.details ?? []) : [];
  if (details.length === 0) return reasonOf(error);
  const heading =
    error instanceof ApiError && error.code !== 'validation_failed' ? error.message : 'Invalid values:';
  return [heading, ...details.map(({ path, message }) => `  ${nameOf(path, command)} ${message}`)].join('\n');
}

/**
 * Returns the value of the command that a path is about: `input.expiresAt` is `--expires-at`, and `input.scopes.0` is the first word of
 * `--scopes`. A value that is neither an option nor an argument, such as a password from standard input, has its name in the API.
 */
function nameOf(path: string, { options, registeredArguments }: Command): string {
  const parts = path.split('.');
  const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? path;
  const index = parts.at(-1) ?? '';
  const option = options.find((each) => each.attributeName() === name)?.long;
  const argument = registeredArguments.some((each) => each.name() === name) ? `<${name}>` : name;
  const value = option ?? argument;
  return /^\d+$/.test(index) ? `${value}, word ${Number(index) + 1},` : value;
}
