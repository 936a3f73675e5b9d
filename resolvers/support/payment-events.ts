import type { Transaction } from '../../src/db/database.ts';
import { findChargeOfAnybody, type Settlement, settleCharge } from '../../src/db/queries/charges.ts';
import { notePaymentEvent } from '../../src/db/queries/payment-events.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { ApiError } from '../../src/errors.ts';
import type { PaymentEventInput } from '../../src/generated/resolvers.ts';
import type { Context } from '../../src/graphql/context.ts';
import { announceCharge } from './charge-events.ts';
import { parseId } from './lookup.ts';

/** What a message did. */
export interface PaymentEventEffect {
  readonly applied: boolean;
  readonly charge: ChargeRow | null;
}

/**
 * Where each type of message takes a charge, and from where. Messages may come late and out of order: what a charge has
 * been through already changes nothing, and a refund that is heard of first tells as well that the charge had succeeded.
 */
const SETTLEMENTS: ReadonlyMap<string, Pick<Settlement, 'from' | 'to'>> = new Map([
  ['charge.succeeded', { from: ['pending'], to: 'succeeded' }],
  ['charge.failed', { from: ['pending'], to: 'failed' }],
  ['charge.refunded', { from: ['succeeded', 'pending'], to: 'refunded' }],
]);

/** As much of a message as is looked at. */
interface EventData {
  readonly chargeId: number | undefined;
  readonly paymentId: string | null;
  readonly failureCode: string | null;
}

/**
 * Applies a message of the provider once: its id, the change and its event are one transaction. What is not about a charge of
 * ours is received all the same, since sending it again would not help.
 *
 * @throws ApiError `validation_failed` for data that cannot be read.
 */
export function applyPaymentEvent(
  context: Context,
  messageId: string,
  { type, data }: PaymentEventInput,
): Promise<PaymentEventEffect> {
  const settlement = SETTLEMENTS.get(type);
  const read = settlement && readData(data);
  return context.database.transaction(async (tx) => {
    const isNew = await notePaymentEvent(tx, messageId, context.clock());
    const charge = read?.chargeId === undefined ? undefined : await findChargeOfAnybody(tx, read.chargeId);
    if (!isNew || !settlement || !read || !charge || isOfAnother(charge, read)) {
      return { applied: false, charge: charge ?? null };
    }
    const settled = await settle(tx, context, charge, settlement, read);
    return { applied: settled !== undefined, charge: settled ?? charge };
  });
}

async function settle(
  tx: Transaction,
  context: Context,
  { id }: ChargeRow,
  { from, to }: Pick<Settlement, 'from' | 'to'>,
  { paymentId, failureCode }: EventData,
): Promise<ChargeRow | undefined> {
  const code = to === 'failed' ? (failureCode ?? 'card_declined') : null;
  const now = context.clock();
  const settled = await settleCharge(tx, { id, from, to, paymentId, failureCode: code, now });
  if (settled) await announceCharge(tx, context, settled);
  return settled;
}

/** The charge is known to be another payment than the one that the message is about. */
const isOfAnother = (charge: ChargeRow, { paymentId }: EventData): boolean =>
  charge.paymentId !== null && paymentId !== null && charge.paymentId !== paymentId;

function readData(data: unknown): EventData {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw invalid('input.data', 'must be an object');
  // Providers add members as they please; these are looked at one by one.
  const { charge_id: id, payment_id: paymentId, failure_code: failureCode } = data as Record<string, unknown>;
  const chargeId = typeof id === 'number' || typeof id === 'string' ? parseId(id) : undefined;
  return { chargeId, paymentId: textOf(paymentId), failureCode: textOf(failureCode) };
}

/** A text that fits a column and both engines keep. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;

function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', { details: [{ path, message }] });
}
