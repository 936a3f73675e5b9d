/**
 * Where Stripe counts otherwise than ISO 4217 does (https://docs.stripe.com/currencies, "Special cases" and
 * "Zero-decimal currencies"): digits after the point that its amounts have.
 */
const DIGITS: ReadonlyMap<string, { readonly iso: number; readonly stripe: number }> = new Map([
  // Two digits for the sake of old integrations, and they must be 00.
  ['ISK', { iso: 0, stripe: 2 }],
  ['UGX', { iso: 0, stripe: 2 }],
  // Whole ones only.
  ['MGA', { iso: 2, stripe: 0 }],
]);

/** Of the three digits of these, card networks settle two: the last one must be 0. */
const THREE_DIGITS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * An amount as Stripe wants it; undefined for one that it cannot take exactly: amounts are never rounded.
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
