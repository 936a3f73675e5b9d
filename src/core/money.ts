import currencies from 'currency-codes';
import { parseDecimal } from './decimal.ts';

/**
 * Money is an integer of minor units (cents, fils, yen) everywhere inside; it becomes a decimal number only on
 * its way out, and is made of one by its digits on its way in. Sums and products of integers are exact, so that nothing
 * drifts.
 */

/** Digits of the currencies that ISO 4217 added after the list of the package (2024-06-25): the Caribbean guilder, amendment 176. */
const ADDED_DIGITS = [['XCG', 2]] as const;

/** Digits after the point, by currency (exponents of ISO 4217). Withdrawn codes such as ANG stay: amounts in them are stored. */
const DIGITS = new Map<string, number>([
  ...currencies.data.map(({ code, digits }) => [code, digits] as const),
  ...ADDED_DIGITS,
]);

/** Codes of ISO 4217 that are not means of payment: metals, units of account, "no currency" and "for testing". */
const NOT_MONEY = new Set([
  'XAG',
  'XAU',
  'XPD',
  'XPT',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XSU',
  'XUA',
  'XTS',
  'XXX',
]);

/** Decimal digits that a JavaScript number carries exactly, whatever they are. */
const EXACT_DIGITS = 15;

/** What a person who names no currency means. */
export const DEFAULT_CURRENCY = 'USD';

/** Currencies that can be paid with, by their codes. */
export const CURRENCIES: readonly string[] = [...DIGITS.keys()].filter((code) => !NOT_MONEY.has(code)).sort();

/** The digits after the point of a currency that can be paid with, undefined for any other text. */
export function decimalsOf(currency: string): number | undefined {
  return NOT_MONEY.has(currency) ? undefined : DIGITS.get(currency);
}

/**
 * The amount in the currency's usual unit: 1999 of USD is 19.99, 1999 of JPY is 1999, 1999 of BHD is 1.999.
 *
 * The single division is safe: both operands are exact integers, and IEEE 754 rounds a quotient correctly, so the
 * result is the very double that the decimal literal denotes. Up to 15 digits it prints as that literal again.
 *
 * @throws RangeError when the currency is not in ISO 4217, which the tables do not let in.
 */
export function toMajorUnits(minorUnits: number, currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return minorUnits / 10 ** digits;
}

/** An amount in minor units, or what is wrong with which part of it. */
export type MinorUnits =
  | { readonly minorUnits: number }
  | { readonly at: 'value' | 'currency'; readonly problem: string };

/**
 * The minor units that a decimal number of the currency's usual unit comes to. It goes by the digits alone, so that what
 * was written is what is paid: `19.99` of USD is 1999, and `1.5` of JPY is nothing that can be paid.
 *
 * @param value a decimal number in the notation of JSON.
 */
export function toMinorUnits(value: string, currency: string): MinorUnits {
  const decimals = decimalsOf(currency);
  if (decimals === undefined) {
    return { at: 'currency', problem: 'must be the code of a currency in ISO 4217, such as USD' };
  }
  const decimal = parseDecimal(value);
  if (!decimal) return { at: 'value', problem: 'must be a number' };
  const zeros = decimal.exponent + decimals;
  if (zeros < 0) {
    const most = decimals === 0 ? 'no digits' : `at most ${decimals} digits`;
    return { at: 'value', problem: `must have ${most} after the point: it is in ${currency}` };
  }
  if (decimal.digits.length + zeros > EXACT_DIGITS) return { at: 'value', problem: 'is too large' };
  const units = Number(decimal.digits + '0'.repeat(zeros));
  return { minorUnits: decimal.negative ? -units : units };
}
