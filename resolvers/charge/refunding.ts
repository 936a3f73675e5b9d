import { randomUUID } from 'node:crypto';
import { holdRights } from '../../src/auth/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { toMajorUnits, toMinorUnits } from '../../src/core/money.ts';
import type { Transaction } from '../../src/db/database.ts';
import { findCharge, orgOfCharge } from '../../src/db/queries/charges.ts';
import {
  adoptRefund,
  failRefund,
  findRefund,
  insertRefund,
  offerRefund,
  reserveRefund,
} from '../../src/db/queries/refunds.ts';
import type { ChargeRow, RefundRow } from '../../src/db/rows.ts';
import type { MoneyInput } from '../../src/generated/resolvers.ts';
import { KeyTaken } from '../../src/idempotency/keyed-work.ts';
import type { StartedWork } from '../../src/idempotency/work.ts';
import { refundOf } from '../../src/payments/gateway.ts';
import { settleRefund } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn } from '../shared/lookup.ts';
import { awaitGateway, checkAfter } from './gateway-responses.ts';

/**
 * Gives back an amount of what a charge took, or all that is left. The amount is reserved before the gateway is asked, so that
 * refunds which race never come to more than the charge: the one that finds too little left is refused.
 *
 * A request that comes again under the same key finds the refund that it has begun, and one under another key a refund of the
 * same amount whose request has broken off. When none comes, the reconciler asks.
 *
 * @throws ApiError `not_found`, `forbidden`, `validation_failed`, `invalid_transition`, `payment_gateway_failed`,
 *   `payment_gateway_unavailable`.
 */
export async function refundCharge(
  context: Context,
  id: string | number,
  amount: MoneyInput | null | undefined,
): Promise<ChargeRow> {
  const { org } = callerOf(context);
  const charge = await requireOwn(context, id, { find: findCharge, orgOf: orgOfCharge });
  const wanted = amount == null ? null : readAmount(amount, charge);
  const begun = await begin(context, charge, wanted);
  // As with a charge, nothing ends with the request from here on.
  const refund = await findRefund(context.lasting, org, begun.subjectId);
  if (!refund || charge.paymentId === null) throw new Error('A refund that was begun is not there.');
  // The reconciler came first, after an earlier request had broken off.
  if (refund.status === 'failed') return abandon(context, begun, refund, notGivenBack());
  if (refund.status === 'succeeded') return finish(context, begun, refund);
  const request = refundOf(refund, { paymentId: charge.paymentId, amount: charge.amount });
  const answer = context.gateway.refund(request);
  return awaitGateway(context, answer, (result) => {
    if (result.status === 'succeeded') return finish(context, begun, refund);
    const error = result.status === 'failed' ? notGivenBack() : invalid(VALUE, result.problem);
    return abandon(context, begun, refund, error);
  }).catch(async (error: unknown) => {
    await offer(context, refund);
    throw error;
  });
}

/** A request that has broken off leaves its refund to the next one that asks for the same, and to the reconciler. */
async function offer({ lasting, clock, noteLateFailure }: Context, refund: RefundRow): Promise<void> {
  try {
    await lasting.transaction((tx) => offerRefund(tx, refund, clock()));
  } catch (error) {
    // The reconciler takes it up in its time all the same.
    noteLateFailure(error);
  }
}

/** The refund that this request begins, or the one that a request before it began under the same key. */
function begin(context: Context, { id, currency }: ChargeRow, wanted: number | null): Promise<StartedWork> {
  const caller = callerOf(context);
  const { org, userId } = caller;
  return context.work.begin(async (tx) => {
    const now = context.clock();
    // The order of locks, as where a charge is settled: first the row of the charge, then the turn of the organisation, which
    // `holdRights` takes. The other way round this transaction and the one that settles would wait for each other.
    const amount = wanted ?? (await holdRest(tx, org, id));
    const reserved = amount > 0 ? await reserveRefund(tx, { org, chargeId: id, amount }) : undefined;
    const wantedOf = { org, chargeId: id, amount: wanted, now, checkAt: checkAfter(now) };
    const adopted = reserved ? undefined : await adoptRefund(tx, wantedOf);
    await holdRights(tx, caller);
    if (adopted) return adopted.id;
    if (!reserved) throw notRefundable(await findCharge(tx, org, id));
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

/** What is left of a charge, in minor units. It stays as it is until the transaction ends; 0 where nothing can be refunded. */
async function holdRest(tx: Transaction, org: string, chargeId: number): Promise<number> {
  const charge = await reserveRefund(tx, { org, chargeId, amount: 0 });
  return charge ? charge.amount - charge.amountReserved : 0;
}

/** Writes that the money was given back. Where another request goes on under the key it is written all the same. */
async function finish(context: Context, begun: StartedWork, refund: RefundRow): Promise<ChargeRow> {
  const { work, clock, lasting } = context;
  const { org, userId: actorId } = callerOf(context);
  try {
    return await work.finish(begun, async (tx) => {
      await settleRefund(tx, refund, { clock, actorId });
      const charge = await findCharge(tx, org, refund.chargeId);
      if (!charge) throw new Error('A charge that was refunded is not there.');
      return { value: charge };
    });
  } catch (error) {
    if (error instanceof KeyTaken) {
      await lasting.transaction((tx) => settleRefund(tx, refund, { clock, actorId }));
    }
    throw error;
  }
}

/** The money stays where it is, so the key is free for another refund. */
async function abandon(
  { work, clock }: Context,
  begun: StartedWork,
  refund: RefundRow,
  error: ApiError,
): Promise<never> {
  await work.abandon(begun, (tx) => failRefund(tx, refund, clock()));
  throw error;
}

const notGivenBack = () =>
  new ApiError('payment_gateway_failed', { message: 'The payment gateway could not give the money back.' });

const VALUE = 'amount.value';

const invalid = (path: string, message: string) =>
  new ApiError('validation_failed', { details: [{ path, message }] });

/** @throws ApiError `validation_failed` for an amount that no refund of the charge can have. */
function readAmount({ value, currency }: MoneyInput, charge: ChargeRow): number {
  if (currency !== charge.currency) {
    throw invalid('amount.currency', `is ${currency}, and the charge is in ${charge.currency}`);
  }
  const read = toMinorUnits(value, currency);
  if ('problem' in read) throw invalid(`amount.${read.at}`, read.problem);
  if (read.minorUnits < 1) throw invalid(VALUE, 'must be above 0');
  if (read.minorUnits > charge.amount) throw invalid(VALUE, 'must not be above the amount of the charge');
  return read.minorUnits;
}

/** Why nothing, or not as much, can be given back of a charge. */
function notRefundable(charge: ChargeRow | undefined): ApiError {
  const message =
    charge?.status === 'succeeded'
      ? `Of the charge ${toMajorUnits(charge.amount - charge.amountReserved, charge.currency)} ${charge.currency} can still be refunded: the rest was, or is about to be.`
      : `The charge is ${charge?.status ?? 'gone'}. Only what a charge that has succeeded still holds can be refunded.`;
  return new ApiError('invalid_transition', { message });
}
