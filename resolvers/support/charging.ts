import { randomUUID } from 'node:crypto';
import { holdStanding } from '../../src/auth/changes.ts';
import {
  findCharge,
  insertCharge,
  removePendingCharge,
  type Settlement,
  settleCharge,
} from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { ApiError } from '../../src/errors.ts';
import type { CreateChargeInput } from '../../src/generated/resolvers.ts';
import type { Context } from '../../src/graphql/context.ts';
import type { Begun } from '../../src/idempotency/work.ts';
import type { ChargeResult } from '../../src/payments/gateway.ts';
import { callerOf } from './caller.ts';
import { announceCharge } from './charge-events.ts';
import { findPayableOrder, maskSource, readPrice, refusal, requireSameCurrency } from './charge-input.ts';

/**
 * Charges a source. A pending charge is committed before the gateway is asked, so that no money moves that nobody knows of;
 * what the gateway answers is committed with its event, and with the outcome under the idempotency key.
 *
 * A request that comes again after this one broke off finds the pending charge, and asks the gateway under the same key.
 *
 * @throws ApiError `validation_failed`, `forbidden`, `conflict`, `card_declined`, `payment_gateway_failed`,
 *   `payment_gateway_unavailable`.
 */
export async function chargeSource(context: Context, input: CreateChargeInput): Promise<ChargeRow> {
  const caller = callerOf(context);
  const begun = await context.work.begin(async (tx) => {
    await holdStanding(tx, caller);
    // Looked at by whoever begins, and not again: what has become of the order since is no reason to leave a charge open
    // for which the money may have moved. Whose order it is comes first: to others it is 403, whatever they send.
    const order = await findPayableOrder(tx, caller.org, input.orderId);
    const price = readPrice(input);
    requireSameCurrency(price, order);
    const { amount, currency } = price;
    return insertCharge(tx, {
      org: caller.org,
      userId: caller.userId,
      orderId: order?.id ?? null,
      amount,
      currency,
      source: maskSource(input.source),
      reference: randomUUID(),
      now: context.clock(),
    });
  });
  // From here to the outcome nothing ends with the request: the record would stand in the way of the one that comes again.
  const pending = await findCharge(context.lasting, caller.org, begun.subjectId);
  if (!pending) throw new Error('A charge that was begun is not there.');
  // The provider's word came first, after an earlier request had broken off.
  if (pending.status !== 'pending') return conclude(context, begun, pending);
  const result = await ask(context, pending, input.source);
  if (result.status !== 'refused') return settle(context, begun, pending, result);
  // The gateway has not even tried, so it is as if nobody had asked.
  await context.work.abandon(begun, (tx) => removePendingCharge(tx, pending.id));
  throw refusal(readPrice(input), result);
}

/** The gateway's answers that make or break a charge. */
type Settled = Exclude<ChargeResult, { status: 'refused' }>;

function ask({ gateway }: Context, charge: ChargeRow, source: string): Promise<ChargeResult> {
  const { id, reference, amount, currency, createdAt } = charge;
  return gateway.charge({ key: reference, chargeId: id, amount, currency, source, since: createdAt });
}

function settle(context: Context, begun: Begun, pending: ChargeRow, result: Settled): Promise<ChargeRow> {
  const { work, clock } = context;
  const { id } = pending;
  const settlement = { id, from: ['pending'], paymentId: result.paymentId, now: clock() } as const;
  if (result.status === 'declined') {
    const failed: Settlement = { ...settlement, to: 'failed', failureCode: result.reason };
    return work.fail(begun, async (tx) => {
      const charge = await settleCharge(tx, failed);
      if (charge) await announceCharge(tx, context, charge);
      return declined(result.reason);
    });
  }
  return work.finish(begun, async (tx) => {
    const charge = await settleCharge(tx, { ...settlement, to: 'succeeded', failureCode: null });
    if (charge) await announceCharge(tx, context, charge);
    // Somebody else was told the same, and has written it down.
    const present = charge ?? (await findCharge(tx, pending.org, id));
    if (!present) throw new Error('A charge that was begun is not there any more.');
    return present;
  });
}

/** The charge is settled already; what is left is to keep that under the key. */
function conclude({ work }: Context, begun: Begun, charge: ChargeRow): Promise<ChargeRow> {
  const { status, failureCode } = charge;
  if (status === 'failed') return work.fail(begun, async () => declined(failureCode));
  return work.finish(begun, async () => charge);
}

/** @param reason the gateway's word. */
function declined(reason: string | null): ApiError {
  const says = reason && reason !== 'card_declined' ? ` (${reason})` : '';
  return new ApiError('card_declined', { message: `The payment source was declined${says}.` });
}
