import { InvalidArgumentError } from 'commander';
import { isExactNumber, parseDecimal } from '../core/decimal.ts';

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
  if (parseDecimal(value) && isExactNumber(value)) return Number(value);
  throw new InvalidArgumentError('It must be a number such as 19.99.');
}
