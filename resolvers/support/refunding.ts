import { holdStanding } from '../../src/auth/changes.ts';
import { findCharge, orgOfCharge, settleCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { ApiError } from '../../src/errors.ts';
import type { Context } from '../../src/graphql/context.ts';
import type { Begun } from '../../src/idempotency/work.ts';
import { callerOf } from './caller.ts';
import { announceCharge } from './charge-events.ts';
import { requireOwn } from './lookup.ts';

/**
 * Gives back all that a charge took. There is one refund of a charge, and the gateway knows it by one key: of several who
 * ask for it at once one is told that it happened, and the money moves once.
 *
 * @throws ApiError `not_found`, `forbidden`, `invalid_transition`, `payment_gateway_failed`, `payment_gateway_unavailable`.
 */
export async function refundCharge(context: Context, id: string | number): Promise<ChargeRow> {
  const caller = callerOf(context);
  const { id: chargeId } = await requireOwn(context, id, { find: findCharge, orgOf: orgOfCharge });
  const begun = await context.work.begin(async (tx) => {
    await holdStanding(tx, caller);
    // Looked at within the transaction: what is not refundable needs no record.
    requireRefundable(await findCharge(tx, caller.org, chargeId));
    return chargeId;
  });
  // As with a charge, nothing ends with the request from here on.
  const charge = await findCharge(context.lasting, caller.org, chargeId);
  // An earlier request under the key broke off after asking, and the provider's word came in before this one.
  if (charge?.status === 'refunded') return context.work.finish(begun, async () => charge);
  return giveBack(context, begun, requireRefundable(charge));
}

async function giveBack(context: Context, begun: Begun, charge: ChargeRow & { paymentId: string }) {
  const { work, gateway, clock } = context;
  const { id, reference, paymentId, amount, currency } = charge;
  await gateway.refund({ key: `${reference}-refund`, paymentId, amount, currency });
  const refund = { id, from: ['succeeded'], to: 'refunded', paymentId: null, failureCode: null } as const;
  return work.finish(begun, async (tx) => {
    const refunded = await settleCharge(tx, { ...refund, now: clock() });
    if (refunded) await announceCharge(tx, context, refunded);
    const present = refunded ?? (await findCharge(tx, charge.org, id));
    if (!present) throw new Error('A charge that was refunded is not there any more.');
    return present;
  });
}

/** @throws ApiError `invalid_transition` for a charge that holds no money. */
function requireRefundable(charge: ChargeRow | undefined): ChargeRow & { paymentId: string } {
  if (charge?.status === 'succeeded' && charge.paymentId !== null) {
    return { ...charge, paymentId: charge.paymentId };
  }
  throw new ApiError('invalid_transition', {
    message: `The charge is ${charge?.status ?? 'gone'}. Only one that has succeeded can be refunded, and only once.`,
  });
}
