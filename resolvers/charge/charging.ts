import { randomUUID } from 'node:crypto';
import { holdRights } from '../../src/auth/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { settleAll } from '../../src/core/promises.ts';
import { findCharge, insertCharge, removePendingCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { CreateChargeInput } from '../../src/generated/resolvers.ts';
import type { Outcome } from '../../src/idempotency/outcome.ts';
import type { StartedWork } from '../../src/idempotency/work.ts';
import { type ChargeResult, NOT_MADE } from '../../src/payments/gateway.ts';
import { reportOfGateway } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { awaitGateway, checkAfter, finishWith } from './gateway-responses.ts';
import { findPayableOrder, maskSource, readPrice, refusal, requireSameCurrency } from './input.ts';

/**
 * Charges a payment source. A pending charge is committed before the gateway is called, so that no money moves without a record of
 * it. The gateway's response, in time or late, is committed together with the event and the outcome under the idempotency key.
 *
 * If this request is interrupted, a retry finds the pending charge and calls the gateway again with the same key. Without a retry,
 * the reconciler queries the gateway.
 *
 * @throws ApiError `validation_failed`, `forbidden`, `conflict`, `card_declined`, `payment_gateway_failed`,
 *   `payment_gateway_unavailable`.
 */
export async function chargeSource(context: Context, input: CreateChargeInput): Promise<ChargeRow> {
  const { work } = context;
  // From here on, an aborted request must not stop the work: its unfinished record would block a retry with the same key.
  let { begun, charge } = await begin(context, input);
  if (charge.status === 'failed' && charge.failureCode === NOT_MADE) {
    // The gateway never received the charge that an earlier request began, so this request begins a new one.
    await work.abandon(begun, async () => {});
    ({ begun, charge } = await begin(context, input));
  }
  // An earlier request was interrupted, and the charge was settled before this retry.
  if (charge.status !== 'pending') return work.finish(begun, async () => outcomeOf(charge));
  return awaitGateway(context, ask(context, charge, input.source), (result) =>
    result.status === 'refused'
      ? refuse(context, begun, input, result)
      : finishWith(context, begun, reportOfGateway(charge, result), outcomeOf),
  );
}

/** Begins a charge, or continues the one that an earlier request began under the same key. */
async function begin(
  context: Context,
  input: CreateChargeInput,
): Promise<{ begun: StartedWork; charge: ChargeRow }> {
  const caller = callerOf(context);
  let inserted: ChargeRow | undefined;
  const begun = await context.work.begin(async (tx) => {
    // The order is checked only when the charge begins: a later change of the order must not leave a charge open for which money
    // may have moved. Its ownership is checked first, so that an order of another organisation is 403 whatever else was sent.
    const [, order] = await settleAll([
      holdRights(tx, caller),
      findPayableOrder(tx, caller.org, input.orderId),
    ]);
    const price = readPrice(input);
    requireSameCurrency(price, order);
    const { amount, currency } = price;
    const now = context.clock();
    const charge = {
      org: caller.org,
      userId: caller.userId,
      orderId: order?.id ?? null,
      amount,
      currency,
      source: maskSource(input.source),
      reference: randomUUID(),
      checkAt: checkAfter(now),
      now,
    };
    inserted = await tx.last(1, () => insertCharge(tx, charge));
    return inserted.id;
  });
  const charge = inserted?.id === begun.subjectId ? inserted : await chargeOf(context, begun);
  return { begun, charge };
}

async function chargeOf(context: Context, { subjectId }: StartedWork): Promise<ChargeRow> {
  const charge = await findCharge(context.lasting, callerOf(context).org, subjectId);
  if (!charge) throw new Error('A pending charge was not found.');
  return charge;
}

function ask({ gateway }: Context, charge: ChargeRow, source: string): Promise<ChargeResult> {
  const { id, reference, amount, currency, createdAt } = charge;
  return gateway.charge({ key: reference, chargeId: id, amount, currency, source, since: createdAt });
}

/** Discards a charge that the gateway refused without trying it, as if it had never been requested. */
async function refuse(
  context: Context,
  begun: StartedWork,
  input: CreateChargeInput,
  result: Extract<ChargeResult, { status: 'refused' }>,
): Promise<never> {
  const { org } = callerOf(context);
  await context.work.abandon(begun, (tx) => removePendingCharge(tx, { org, id: begun.subjectId }));
  throw refusal(readPrice(input), result);
}

/** The outcome of the request for a settled charge. */
function outcomeOf(charge: ChargeRow): Outcome<ChargeRow> {
  return charge.status === 'failed' ? { error: declined(charge.failureCode) } : { value: charge };
}

/** @param reason the gateway's code. */
function declined(reason: string | null): ApiError {
  const detail = reason && reason !== 'card_declined' ? ` (${reason})` : '';
  return new ApiError('card_declined', { message: `The payment source was declined${detail}.` });
}
