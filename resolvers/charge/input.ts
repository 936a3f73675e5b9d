import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { DEFAULT_CURRENCY, toMinorUnits } from '../../src/core/money.ts';
import type { Runner } from '../../src/db/database.ts';
import { findOrder, orgOfOrder } from '../../src/db/queries/orders.ts';
import type { ListedOrder } from '../../src/db/rows.ts';
import type { CreateChargeInput } from '../../src/generated/resolvers.ts';
import { parseId, refuseForeign } from '../shared/lookup.ts';

/** The amount to charge, and the paths of the arguments that it was read from. */
export interface Price {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly amountPath: string;
  readonly currencyPath: string;
}

/**
 * Reads the amount from `amount` or `minorAmount`, of which exactly one must be given.
 *
 * @throws ApiError `validation_failed`.
 */
export function readPrice({ amount, minorAmount, orderId }: CreateChargeInput): Price {
  if (amount == null) {
    if (minorAmount == null) throw invalidValue('input.amount', 'is required');
    const path = 'input.minorAmount';
    return { amount: minorAmount, currency: DEFAULT_CURRENCY, amountPath: path, currencyPath: path };
  }
  if (minorAmount != null) throw invalidValue('input.minorAmount', 'cannot be combined with amount');
  // An order that exists can be paid. The currency of the charge must be that of its order.
  const read = toMinorUnits(amount.value, amount.currency, orderId != null);
  if ('problem' in read) throw invalidValue(`input.amount.${read.at}`, read.problem);
  if (read.minorUnits < 1) throw invalidValue('input.amount.value', 'must be above 0');
  if (read.minorUnits > LIMITS.chargeAmount) throw invalidValue('input.amount.value', 'is too large');
  return {
    amount: read.minorUnits,
    currency: amount.currency,
    amountPath: 'input.amount.value',
    currencyPath: 'input.amount.currency',
  };
}

/**
 * Finds the order that a charge pays for; null for none.
 *
 * @throws ApiError `forbidden` for an order of another organisation, `validation_failed`, `conflict` for a cancelled order.
 */
export async function findPayableOrder(
  db: Runner,
  org: string,
  orderId: string | null | undefined,
): Promise<ListedOrder | null> {
  if (orderId == null) return null;
  const id = parseId(orderId);
  const order = id === undefined ? undefined : await findOrder(db, org, id);
  if (!order) {
    if (id !== undefined) refuseForeign(org, (await orgOfOrder(db, { id }))?.org);
    throw invalidValue('input.orderId', 'is not an order of your organisation');
  }
  if (order.status === 'cancelled') {
    throw new ApiError('conflict', { message: 'The order was cancelled and cannot be paid.' });
  }
  return order;
}

/** @throws ApiError `validation_failed` if the amount and its order have different currencies. */
export function requireSameCurrency({ currency, currencyPath }: Price, order: ListedOrder | null): void {
  if (!order || order.currency === currency) return;
  throw invalidValue(currencyPath, `is in ${currency}, but the order is in ${order.currency}`);
}

/** Turns a refusal of the gateway into an error about the argument that caused it. */
export function refusal(
  { amountPath, currencyPath }: Price,
  { at, problem }: { readonly at: 'amount' | 'currency' | 'source'; readonly problem: string },
): ApiError {
  return invalidValue({ amount: amountPath, currency: currencyPath, source: 'input.source' }[at], problem);
}

/** Masks a payment source: `tok_1N3T00LkdIwHu7ix` becomes `tok_****u7ix`. Short tokens are masked completely. */
export function maskSource(source: string): string {
  const prefix = /^[a-z]{1,8}_/.exec(source)?.[0] ?? '';
  const rest = source.slice(prefix.length);
  return `${prefix}****${rest.length >= MASKED_LENGTH ? rest.slice(-4) : ''}`;
}

/** The minimum number of characters of a token whose last four are shown. */
const MASKED_LENGTH = 12;
