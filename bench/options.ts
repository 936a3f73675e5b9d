import { parseArgs } from 'node:util';

/** The command was called in a way that means nothing. */
export class UsageError extends Error {}

/**
 * Reads options that all take a value, given those that hold without them. Asked for help, it writes the usage and says so.
 *
 * @throws UsageError naming what cannot be understood.
 */
export function readTexts<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, string>>,
  usage: string,
): Readonly<Record<Name, string>> | 'help' {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 'help';
  }
  const names = Object.keys(defaults);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    });
    // All of the options are texts, and no others are let through.
    return { ...defaults, ...(values as Partial<Record<Name, string>>) };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

export function integer(name: string, text: string, least: number, most: number): number {
  const number = decimal(name, text, least, most);
  if (!Number.isInteger(number)) throw new UsageError(`--${name} must be a whole number, not ${text}.`);
  return number;
}

export function decimal(name: string, text: string, least: number, most: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new UsageError(`--${name} must be a number from ${least} to ${most}, not ${text}.`);
  }
  return number;
}
