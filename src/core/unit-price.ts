import type { ErrorDetail } from './errors.ts';
import { LIMITS } from './limits.ts';
import { toMinorUnits } from './money.ts';

/**
 * Converts a unit price to minor units, or returns its problem.
 *
 * @param unitPrice a decimal number in the currency's major unit.
 * @param path the path of the object with price and currency in the arguments, with a trailing dot.
 */
export function readUnitPrice(unitPrice: string, currency: string, path = ''): number | ErrorDetail {
  const read = toMinorUnits(unitPrice, currency);
  if ('problem' in read) {
    return { path: `${path}${read.at === 'currency' ? 'currency' : 'unitPrice'}`, message: read.problem };
  }
  if (read.minorUnits < 0) return { path: `${path}unitPrice`, message: 'must not be below 0' };
  if (read.minorUnits > LIMITS.unitPrice) return { path: `${path}unitPrice`, message: 'is too large' };
  return read.minorUnits;
}
