import { randomUUID } from 'node:crypto';
import { holdRights } from '../../src/auth/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { inOrder } from '../../src/core/promises.ts';
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
 * Charges a source. A pending charge is committed before the gateway is asked, so that no money moves without a record of it;
 * what the gateway answers, in time or late, is committed with its event and with the outcome under the idempotency key.
 *
 * A request that comes again after this one broke off finds the pending charge, and asks the gateway under the same key. When none
 * comes, the reconciler asks.
 *
 * @throws ApiError `validation_failed`, `forbidden`, `conflict`, `card_declined`, `payment_gateway_failed`,
 *   `payment_gateway_unavailable`.
 */
export async function chargeSource(context: Context, input: CreateChargeInput): Promise<ChargeRow> {
  const { work } = context;
  // From here to the outcome nothing ends with the request: the record would stand in the way of the one that comes again.
  let { begun, charge } = await begin(context, input);
  if (charge.status === 'failed' && charge.failureCode === NOT_MADE) {
    // The gateway has never made the charge that an earlier request began, so this one begins another.
    await work.abandon(begun, async () => {});
    ({ begun, charge } = await begin(context, input));
  }
  // The provider's word came first, after an earlier request had broken off.
  if (charge.status !== 'pending') return work.finish(begun, async () => outcomeOf(charge));
  return awaitGateway(context, ask(context, charge, input.source), (result) =>
    result.status === 'refused'
      ? refuse(context, begun, input, result)
      : finishWith(context, begun, reportOfGateway(charge, result), outcomeOf),
  );
}

/** The charge that this request begins, or the one that a request before it began under the same key. */
async function begin(
  context: Context,
  input: CreateChargeInput,
): Promise<{ begun: StartedWork; charge: ChargeRow }> {
  const caller = callerOf(context);
  let inserted: ChargeRow | undefined;
  const begun = await context.work.begin(async (tx) => {
    // Checked once, when the charge begins: a later change of the order is no reason to leave a charge open
    // for which the money may have moved. Whose order it is comes first: to others it is 403, whatever they send.
    const [, order] = await inOrder([
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
  if (!charge) throw new Error('A charge that was begun is not there.');
  return charge;
}

function ask({ gateway }: Context, charge: ChargeRow, source: string): Promise<ChargeResult> {
  const { id, reference, amount, currency, createdAt } = charge;
  return gateway.charge({ key: reference, chargeId: id, amount, currency, source, since: createdAt });
}

/** The gateway has not even tried, so it is as if the charge had never been asked for. */
async function refuse(
  context: Context,
  begun: StartedWork,
  input: CreateChargeInput,
  result: Extract<ChargeResult, { status: 'refused' }>,
): Promise<never> {
  const { org } = callerOf(context);
  await context.work.abandon(begun, (tx) => removePendingCharge(tx, org, begun.subjectId));
  throw refusal(readPrice(input), result);
}

/** How a request ends whose charge stands as it does. */
function outcomeOf(charge: ChargeRow): Outcome<ChargeRow> {
  return charge.status === 'failed' ? { error: declined(charge.failureCode) } : { value: charge };
}

/** @param reason the gateway's word. */
function declined(reason: string | null): ApiError {
  const says = reason && reason !== 'card_declined' ? ` (${reason})` : '';
  return new ApiError('card_declined', { message: `The payment source was declined${says}.` });
}
