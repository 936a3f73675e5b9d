import { InvalidArgumentError } from 'commander';
import { isExactNumber, parseDecimal } from '../core/decimal.ts';
import { CommandError } from './terminal.ts';

/** Returns a parser of options with a whole number from 1 to `most`. */
export function wholeNumber(most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}

/** Parses the id of a row. */
export const rowId = wholeNumber(Number.MAX_SAFE_INTEGER);

/** Parses an option with an exact decimal number, such as a price. */
export function decimal(value: string): number {
  if (!parseDecimal(value)) throw new InvalidArgumentError('It must be a number such as 19.99.');
  if (isExactNumber(value)) return Number(value);
  throw new InvalidArgumentError('It cannot be represented exactly: it has too many digits.');
}

/** Parses the path of a file. An empty one is that of a shell variable that is not set. */
export function filePath(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It must be the path of a file.');
}

/** Returns a handler that names the file in a failure to read or write it. */
const failing =
  (problem: string) =>
  (path: string) =>
  (cause: unknown): never => {
    throw new CommandError(`${path} ${problem}`, { cause });
  };

export const unreadable = failing('cannot be read');
export const unwritable = failing('cannot be written');
