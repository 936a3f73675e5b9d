/** Amounts of money as the decimal numbers that clients see, for lists in order of them. */
import type { SQLWrapper } from 'drizzle-orm';
import { CURRENCIES, decimalsOf } from '../core/money.ts';
import { sql } from './drizzle/index.ts';

/** Digits after the point of most currencies. */
const USUAL_DECIMALS = 2;

const divisors = CURRENCIES.flatMap((code) => {
  const decimals = decimalsOf(code) ?? USUAL_DECIMALS;
  return decimals === USUAL_DECIMALS ? [] : [`when '${code}' then ${10 ** decimals}`];
});

/**
 * An expression for an amount in the major unit of its currency, as a double. It is the same division as `toMajorUnits`, so both have
 * the same result, and amounts of up to 15 digits have the same order as their decimal numbers.
 *
 * It is part of indexes and of a generated column. If the digits of a currency change, both need a migration.
 *
 * @param amount in minor units.
 */
export const inMajorUnits = (amount: SQLWrapper, currency: SQLWrapper) =>
  sql<number>`(cast(${amount} as double precision) / case ${currency} ${sql.raw(divisors.join(' '))} else ${sql.raw(String(10 ** USUAL_DECIMALS))} end)`.mapWith(
    Number,
  );
