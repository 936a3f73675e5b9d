/**
 * Currencies for which Stripe uses other digits after the point than ISO 4217 (https://docs.stripe.com/currencies, "Special cases"
 * and "Zero-decimal currencies").
 */
const DIGITS: ReadonlyMap<string, { readonly iso: number; readonly stripe: number }> = new Map([
  // Two digits for backward compatibility, which must be 00.
  ['ISK', { iso: 0, stripe: 2 }],
  ['UGX', { iso: 0, stripe: 2 }],
  // Whole units only.
  ['MGA', { iso: 2, stripe: 0 }],
]);

/** Currencies with three digits, of which card networks settle two: the last digit must be 0. */
const THREE_DIGITS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * Converts an amount to Stripe's units; undefined for one that Stripe cannot represent: amounts are never rounded.
 *
 * @param amount minor units by ISO 4217.
 */
export function stripeAmount(amount: number, currency: string): number | undefined {
  if (THREE_DIGITS.has(currency)) return amount % 10 === 0 ? amount : undefined;
  const digits = DIGITS.get(currency);
  if (!digits) return amount;
  if (digits.stripe >= digits.iso) return amount * 10 ** (digits.stripe - digits.iso);
  const step = 10 ** (digits.iso - digits.stripe);
  return amount % step === 0 ? amount / step : undefined;
}
