import { holdRights } from '../../src/auth/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { findCharge, noteRefundBegun, noteRefundEnded, orgOfCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { refundOf } from '../../src/payments/gateway.ts';
import { refunded } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn } from '../shared/lookup.ts';
import { awaitGateway, checkAfter, finishWith } from './gateway-responses.ts';

/**
 * Gives back all that a charge took. There is one refund of a charge, and the gateway knows it by one key: of several who
 * ask for it at once one gets the success, and the money moves once.
 *
 * @throws ApiError `not_found`, `forbidden`, `invalid_transition`, `payment_gateway_failed`, `payment_gateway_unavailable`.
 */
export async function refundCharge(context: Context, id: string | number): Promise<ChargeRow> {
  const caller = callerOf(context);
  const { id: chargeId } = await requireOwn(context, id, { find: findCharge, orgOf: orgOfCharge });
  const begun = await context.work.begin(async (tx) => {
    const now = context.clock();
    // The order of locks, as where a charge is settled: first the row of the charge, then the turn of the organisation, which
    // `holdRights` takes. The other way round this transaction and the one that settles would wait for each other.
    await noteRefundBegun(tx, { id: chargeId, now, checkAt: checkAfter(now) });
    await holdRights(tx, caller);
    // Checked within the transaction: what is not refundable needs no record.
    requireRefundable(await findCharge(tx, caller.org, chargeId));
    return chargeId;
  });
  // As with a charge, nothing ends with the request from here on.
  const charge = await findCharge(context.lasting, caller.org, chargeId);
  // An earlier request under the key broke off after asking, and another word came in before this one.
  if (charge?.status === 'refunded') return context.work.finish(begun, async () => ({ value: charge }));
  const refundable = requireRefundable(charge);
  const answer = context.gateway.refund(refundOf(refundable, refundable.paymentId));
  return awaitGateway(context, answer, ({ status }) =>
    status === 'failed'
      ? refuse(context, chargeId)
      : finishWith(context, begun, refunded(chargeId), (value) => ({ value })),
  );
}

async function refuse({ lasting }: Context, id: number): Promise<never> {
  await lasting.transaction((tx) => noteRefundEnded(tx, id));
  throw new ApiError('payment_gateway_failed', {
    message: 'The payment gateway could not give the money back.',
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
