import { parseArgs } from 'node:util';

/** The command line is invalid. */
export class UsageError extends Error {}

/** The usage was requested, and was written. */
export class UsageShown extends Error {}

/**
 * Reads options that all take a value. With `--help`, writes the usage.
 *
 * @throws UsageError for an unknown option or a missing value, UsageShown with `--help`.
 */
export function readTexts<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, string>>,
  usage: string,
): Readonly<Record<Name, string>> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    throw new UsageShown();
  }
  const names = Object.keys(defaults);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    });
    // All options are strings, and `parseArgs` rejects unknown ones.
    return { ...defaults, ...(values as Partial<Record<Name, string>>) };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

export function integer(name: string, text: string, min: number, max: number): number {
  const number = decimal(name, text, min, max);
  if (!Number.isInteger(number)) throw new UsageError(`--${name} must be a whole number, not ${text}.`);
  return number;
}

export function decimal(name: string, text: string, min: number, max: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new UsageError(`--${name} must be a number from ${min} to ${max}, not ${text}.`);
  }
  return number;
}
