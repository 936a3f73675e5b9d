import type { ErrorDetail } from './errors.ts';
import { LIMITS } from './limits.ts';
import { toMinorUnits } from './money.ts';

/**
 * The minor units of the price of one piece, or what is wrong with it.
 *
 * @param unitPrice a decimal number in the currency's usual unit.
 * @param path where price and currency stand among the arguments, with a dot at its end.
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
