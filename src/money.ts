import currencies from 'currency-codes';

/**
 * Money is an integer of minor units (cents, fils, yen) everywhere inside; it becomes a decimal number only on
 * its way out. Sums and products of integers are exact, so that nothing drifts.
 */

const UNITS_PER_MAJOR = new Map(currencies.data.map(({ code, digits }) => [code, 10 ** digits] as const));

/**
 * The amount in the currency's usual unit: 1999 of USD is 19.99, 1999 of JPY is 1999, 1999 of BHD is 1.999
 * (exponents of ISO 4217).
 *
 * The single division is safe: both operands are exact integers, and IEEE 754 rounds a quotient correctly, so the
 * result is the very double that the decimal literal denotes. Up to 15 digits it prints as that literal again.
 *
 * @throws RangeError when the currency is not in ISO 4217, which the tables do not let in.
 */
export function toMajorUnits(minorUnits: number, currency: string): number {
  const units = UNITS_PER_MAJOR.get(currency);
  if (units === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return minorUnits / units;
}
