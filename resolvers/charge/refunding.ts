import { randomUUID } from 'node:crypto';
import { holdRights } from '../../src/auth/changes.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { toMajorUnits, toMinorUnits } from '../../src/core/money.ts';
import type { Transaction } from '../../src/db/database.ts';
import { charges } from '../../src/db/queries/charges.ts';
import {
  adoptRefund,
  failRefund,
  insertRefund,
  offerRefund,
  refunds,
  reserveRefund,
} from '../../src/db/queries/refunds.ts';
import type { ChargeRow, RefundRow } from '../../src/db/rows.ts';
import type { MoneyInput, MutationRefundChargeArgs } from '../../src/generated/resolvers.ts';
import type { StartedWork } from '../../src/idempotency/work.ts';
import { refundOf } from '../../src/payments/gateway.ts';
import { settleRefund } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn } from '../shared/lookup.ts';
import { awaitGateway, checkAfter, finishOrRecord } from './gateway-responses.ts';

/** A charge with the refund that the request has made. */
export type RefundedCharge = ChargeRow & { readonly refund: RefundRow };

/**
 * Refunds a part of a charge, or all that is left of it. The amount is reserved before the gateway is called, so that concurrent
 * refunds never exceed the charge: a refund that finds too little left is refused.
 *
 * A retry with the same key continues the refund that it began. A request without a key adopts an interrupted refund of the same
 * amount; one with another key does so only if too little is left for a further refund. Without a retry, the reconciler queries
 * the gateway.
 *
 * @throws ApiError `not_found`, `forbidden`, `validation_failed`, `invalid_transition`, `payment_gateway_failed`,
 *   `payment_gateway_unavailable`.
 */
export async function refundCharge(
  context: Context,
  { id, amount }: MutationRefundChargeArgs,
): Promise<RefundedCharge> {
  const { org } = callerOf(context);
  const charge = await requireOwn(context, id, charges);
  const wanted = amount == null ? null : readAmount(amount, charge);
  const begun = await beginRefund(context, charge, wanted);
  // As with a charge, an aborted request must not stop the work from here on.
  const refund = await refunds.find(context.lasting, org, begun.subjectId);
  const paymentId = charge.paymentId ?? (await charges.find(context.lasting, org, charge.id))?.paymentId;
  if (!refund || paymentId == null) throw new Error('A pending refund or its payment was not found.');
  // An earlier request was interrupted, and the reconciler has settled the refund.
  if (refund.status === 'failed') return discardRefund(context, begun, refund, refundFailed());
  if (refund.status === 'succeeded') return recordRefund(context, begun, refund);
  const request = refundOf(refund, { paymentId, amount: charge.amount });
  const answer = context.gateway.refund(request);
  return awaitGateway(context, answer, (result) => {
    if (result.status === 'succeeded') return recordRefund(context, begun, refund);
    const error = result.status === 'failed' ? refundFailed() : invalidValue(VALUE, result.problem);
    return discardRefund(context, begun, refund, error);
  }).catch(async (error: unknown) => {
    await offer(context, refund);
    throw error;
  });
}

/** Releases the refund of an interrupted request to the next request for the same amount, and to the reconciler. */
async function offer({ lasting, clock, noteLateFailure }: Context, refund: RefundRow): Promise<void> {
  try {
    await lasting.transaction((tx) => offerRefund(tx, { ...refund, now: clock() }));
  } catch (error) {
    // The reconciler finds the refund anyway, at its scheduled time.
    noteLateFailure(error);
  }
}

/** A request has ended after this many times the timeout of the gateway: it calls it once, and writes before and after. */
const REQUEST_ENDS = 2;

/** Before all refunds. */
const NEVER = new Date(0);

/** Begins a refund, adopts an interrupted one, or continues the one that an earlier request began under the same key. */
function beginRefund(
  context: Context,
  { id, currency }: ChargeRow,
  wanted: number | null,
): Promise<StartedWork> {
  const caller = callerOf(context);
  const { org, userId } = caller;
  return context.work.begin(async (tx) => {
    const now = context.clock();
    const wantedOf = { org, chargeId: id, amount: wanted, now, checkAt: checkAfter(now) };
    // Without a key of the client, this may be the retry of an interrupted request of the same person, so it continues that one, even if
    // the reconciler has tried in between. As where a refund is settled, the row of the refund is locked first.
    const endedBefore = new Date(now.getTime() - REQUEST_ENDS * context.gatewayTimeout);
    const interrupted = context.work.isRepeatable
      ? undefined
      : await adoptRefund(tx, { ...wantedOf, userId, endedBefore });
    if (interrupted) {
      await holdRights(tx, caller);
      return interrupted.id;
    }
    // Locks are taken in the same order as where a charge is settled: first the row of the charge, then the lock of the
    // organisation (`holdRights`). In the reverse order, this transaction and a settling one could deadlock.
    const amount = wanted ?? (await holdRest(tx, org, id));
    const reserved = amount > 0 ? await reserveRefund(tx, { org, chargeId: id, amount }) : undefined;
    const adopted = reserved
      ? undefined
      : await adoptRefund(tx, { ...wantedOf, userId: null, endedBefore: NEVER });
    await holdRights(tx, caller);
    if (adopted) return adopted.id;
    if (!reserved) throw notRefundable(await charges.find(tx, org, id));
    const refund = await insertRefund(tx, {
      org,
      chargeId: id,
      userId,
      amount,
      currency,
      reference: randomUUID(),
      checkAt: checkAfter(now),
      now,
    });
    return refund.id;
  });
}

/** Locks a charge and returns the amount that can still be refunded, in minor units; 0 if nothing can be refunded. */
async function holdRest(tx: Transaction, org: string, chargeId: number): Promise<number> {
  const charge = await reserveRefund(tx, { org, chargeId, amount: 0 });
  return charge ? charge.amount - charge.amountReserved : 0;
}

/** Records that a refund succeeded, even if another request with the key has taken over. */
async function recordRefund(
  context: Context,
  begun: StartedWork,
  refund: RefundRow,
): Promise<RefundedCharge> {
  const { org, userId: actorId } = callerOf(context);
  const settle = (tx: Transaction) => settleRefund(tx, refund, { clock: context.clock, actorId });
  const finish = async (tx: Transaction) => {
    await settle(tx);
    const charge = await charges.find(tx, org, refund.chargeId);
    const settled = await refunds.find(tx, org, refund.id);
    if (!charge || !settled) throw new Error('A settled refund or its charge was not found.');
    return { value: { ...charge, refund: settled } };
  };
  return finishOrRecord(context, begun, finish, settle);
}

/** Records that a refund failed. No money moved, so the key is free for another refund. */
async function discardRefund(
  { work, clock }: Context,
  begun: StartedWork,
  refund: RefundRow,
  error: ApiError,
): Promise<never> {
  await work.abandon(begun, (tx) => failRefund(tx, refund, clock()));
  throw error;
}

const refundFailed = () =>
  new ApiError('payment_gateway_failed', { message: 'The payment gateway could not refund the money.' });

const VALUE = 'amount.value';

/**
 * Reads the amount to refund, in minor units.
 *
 * @throws ApiError `validation_failed` for an amount that no refund of the charge can have.
 */
function readAmount({ value, currency }: MoneyInput, charge: ChargeRow): number {
  if (currency !== charge.currency) {
    throw invalidValue('amount.currency', `is ${currency}, but the charge is in ${charge.currency}`);
  }
  const read = toMinorUnits(value, currency, { mayBeWithdrawn: true });
  if ('problem' in read) throw invalidValue(`amount.${read.at}`, read.problem);
  if (read.minorUnits < 1) throw invalidValue(VALUE, 'must be above 0');
  if (read.minorUnits > charge.amount) throw invalidValue(VALUE, 'must not exceed the amount of the charge');
  return read.minorUnits;
}

/** The error for a charge of which less, or nothing, can be refunded. */
function notRefundable(charge: ChargeRow | undefined): ApiError {
  if (charge?.status === 'succeeded' && charge.paymentId === null) {
    const message =
      'The payment provider has not confirmed the payment of the charge yet. Retry in a minute.';
    return new ApiError('invalid_transition', { message });
  }
  const message =
    charge?.status === 'succeeded'
      ? `Only ${toMajorUnits(charge.amount - charge.amountReserved, charge.currency)} ${charge.currency} of the charge can still be refunded. The rest was refunded, or its refund is pending.`
      : `The charge is ${charge?.status ?? 'gone'}. Only a charge that has succeeded and is not fully refunded can be refunded.`;
  return new ApiError('invalid_transition', { message });
}
