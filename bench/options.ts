import { parseArgs } from 'node:util';
import { CASE_NAMES } from './cases.ts';

export interface Options {
  /** Paired rounds that count, each of them one measurement of either server. */
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Seconds of load on either server before anything counts. */
  readonly warmUp: number;
  /** Orders in the database, each with three items. */
  readonly orders: number;
  /** Connections that are kept alive, one request on each at a time. */
  readonly connections: number;
  /** Names of the cases to run. */
  readonly only: readonly string[];
  /** One JSON document on standard output instead of a table. */
  readonly json: boolean;
}

export const USAGE = `Measures the server beside a hand-written route that gives the same answers.

  npm run bench -- [http] [options]

  --rounds <number>       paired rounds for each case (6)
  --seconds <number>      seconds of each measurement (1.5)
  --warm-up <number>      seconds of load on either server before anything counts (2)
  --orders <number>       orders in the database, each with three items (100000)
  --connections <number>  connections, with one request at a time on each (32)
  --only <case>           run this case alone; may be repeated: ${CASE_NAMES.join(', ')}
  --json                  write JSON to standard output
  --help                  show this
`;

/** The command was called in a way that means nothing. */
export class UsageError extends Error {}

/** @throws UsageError naming what cannot be understood. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const only = values.only ?? CASE_NAMES;
  for (const name of only) {
    if (!CASE_NAMES.includes(name))
      throw new UsageError(`--only knows ${CASE_NAMES.join(', ')}, not ${name}.`);
  }
  return {
    rounds: integer('rounds', values.rounds, 1, 1000),
    seconds: decimal('seconds', values.seconds, 0.2, 600),
    warmUp: decimal('warm-up', values['warm-up'], 0.2, 600),
    orders: integer('orders', values.orders, 1000, 10_000_000),
    connections: integer('connections', values.connections, 1, 1000),
    only,
    json: values.json,
  };
}

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

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '6' },
        seconds: { type: 'string', default: '1.5' },
        'warm-up': { type: 'string', default: '2' },
        orders: { type: 'string', default: '100000' },
        connections: { type: 'string', default: '32' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

export function integer(name: string, text: string, least: number, most: number): number {
  const number = decimal(name, text, least, most);
  if (!Number.isInteger(number)) throw new UsageError(`--${name} must be a whole number, not ${text}.`);
  return number;
}

function decimal(name: string, text: string, least: number, most: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new UsageError(`--${name} must be a number from ${least} to ${most}, not ${text}.`);
  }
  return number;
}
