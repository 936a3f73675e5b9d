import currencies from 'currency-codes';
import { parseDecimal } from './decimal.ts';
import type { ErrorDetail } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Inside the server, an amount of money is an integer of minor units (cents, fils, yen), so that sums and products are exact. It is converted
 * from the digits of a decimal number in requests, and to a decimal number in responses.
 */

/** Codes that ISO 4217 has withdrawn since that list: amendments 176, 178 and 180. Only amounts that are stored already may be in them. */
const WITHDRAWN = new Set(['ANG', 'CUC', 'BGN']);

/** Digits after the point, by currency (exponents of ISO 4217). */
const DIGITS = new Map<string, number>([
  ...currencies.data.map(({ code, digits }) => [code, digits] as const),
  // Added to ISO 4217 since the package's list (2024-06-25): the Caribbean guilder, amendment 176.
  ['XCG', 2],
]);

/** Codes of ISO 4217 that cannot be used for payments: metals, units of account, "no currency" and "for testing". */
const NOT_MONEY = new Set('XAG XAU XPD XPT XBA XBB XBC XBD XDR XSU XUA XTS XXX'.split(' '));

/** Decimal digits that a JavaScript number always represents exactly. */
const EXACT_DIGITS = 15;

/** The currency if a request names none. */
export const DEFAULT_CURRENCY = 'USD';

/** The codes of currencies of payments, including the withdrawn ones, in which amounts may be stored. */
export const CURRENCIES: readonly string[] = [...DIGITS.keys()].filter((code) => !NOT_MONEY.has(code)).sort();

/** Whether a currency was withdrawn, so that nothing new can be sold in it. */
export const isWithdrawn = (currency: string): boolean => WITHDRAWN.has(currency);

/** The digits after the point of a currency of payments, which may be withdrawn by now; undefined for any other text. */
export function decimalsOf(currency: string): number | undefined {
  return NOT_MONEY.has(currency) ? undefined : DIGITS.get(currency);
}

const NOT_A_CURRENCY = 'must be the code of a currency in ISO 4217, such as USD';

/** Returns the problem of a text that never was the code of a currency for payments; undefined for such a code. */
export const problemWithCurrency = (code: string): string | undefined =>
  decimalsOf(code) === undefined ? NOT_A_CURRENCY : undefined;

/**
 * Converts minor units to the currency's major unit: 1999 in USD is 19.99, in JPY 1999, in BHD 1.999. IEEE 754 rounds a quotient of exact
 * integers correctly, so the result is the double that the decimal literal denotes, and with up to 15 digits it prints as that literal.
 *
 * @throws RangeError when the currency is not in ISO 4217. The tables do not admit such a currency.
 */
export function toMajorUnits(minorUnits: number, currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return minorUnits / 10 ** digits;
}

/** An amount in minor units, or the part of it that is invalid and why. */
type MinorUnits =
  | { readonly minorUnits: number }
  | { readonly at: 'value' | 'currency'; readonly problem: string };

interface AmountRules {
  /** Whether it is compared with stored amounts, whose currency may have been withdrawn later. */
  readonly mayBeWithdrawn?: boolean;
  /** The greatest amount, in minor units. By default, the greatest that is always represented exactly. */
  readonly most?: number;
}

/**
 * Converts a decimal number in JSON notation to minor units by its digits, so that exactly the written amount is paid: `19.99` in USD is 1999,
 * and `1.5` in JPY is invalid.
 */
export function toMinorUnits(
  value: string,
  currency: string,
  { mayBeWithdrawn = false, most = 10 ** EXACT_DIGITS - 1 }: AmountRules = {},
): MinorUnits {
  const decimals = decimalsOf(currency);
  if (decimals === undefined) return { at: 'currency', problem: NOT_A_CURRENCY };
  if (isWithdrawn(currency) && !mayBeWithdrawn)
    return { at: 'currency', problem: 'was withdrawn from ISO 4217' };
  const decimal = parseDecimal(value);
  if (!decimal) return { at: 'value', problem: 'must be a number' };
  const zeros = decimal.exponent + decimals;
  if (zeros < 0) {
    const most = decimals === 0 ? 'no digits' : `at most ${decimals} digits`;
    return { at: 'value', problem: `must have ${most} after the point: it is in ${currency}` };
  }
  const isExact = decimal.digits.length + zeros <= EXACT_DIGITS;
  const units = isExact ? Number(decimal.digits + '0'.repeat(zeros)) : Number.POSITIVE_INFINITY;
  if (decimal.negative)
    return isExact ? { minorUnits: -units } : { at: 'value', problem: 'must not be below 0' };
  if (units > most) return { at: 'value', problem: `must be at most ${toMajorUnits(most, currency)}` };
  return { minorUnits: units };
}

/** Converts a unit price in the major unit to minor units, or returns its problem. `path` ends with a dot, and leads to the price. */
export function readUnitPrice(unitPrice: string, currency: string, path = ''): number | ErrorDetail {
  const read = toMinorUnits(unitPrice, currency, { most: LIMITS.unitPrice });
  if ('problem' in read) {
    return { path: `${path}${read.at === 'currency' ? 'currency' : 'unitPrice'}`, message: read.problem };
  }
  if (read.minorUnits < 0) return { path: `${path}unitPrice`, message: 'must not be below 0' };
  return read.minorUnits;
}
