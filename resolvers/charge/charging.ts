import { randomUUID } from 'node:crypto';
import { holdRights } from '../../src/auth/changes.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { DEFAULT_CURRENCY, toMinorUnits } from '../../src/core/money.ts';
import { settleAll } from '../../src/core/promises.ts';
import type { Runner } from '../../src/db/database.ts';
import { charges, insertCharge, removePendingCharge } from '../../src/db/queries/charges.ts';
import { orders } from '../../src/db/queries/orders.ts';
import type { ChargeRow, ListedOrder } from '../../src/db/rows.ts';
import type { CreateChargeInput } from '../../src/generated/resolvers.ts';
import type { Outcome, StartedWork } from '../../src/idempotency/work.ts';
import { type ChargeResult, NOT_MADE } from '../../src/payments/gateway.ts';
import { reportOfGateway } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { parseId, refuseForeign } from '../shared/lookup.ts';
import { awaitGateway, checkAfter, finishWith } from './gateway-responses.ts';

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
  let { begun, charge } = await beginCharge(context, input);
  if (isConfirmed(charge) && charge.failureCode === NOT_MADE) {
    // The gateway never received the charge that an earlier request began, so this request begins a new one.
    await work.abandon(begun, async () => {});
    ({ begun, charge } = await beginCharge(context, input));
  }
  // An earlier request was interrupted, and the charge was settled before this retry.
  if (isConfirmed(charge)) return work.finish(begun, async () => outcomeOf(charge));
  return awaitGateway(context, ask(context, charge, input.source), (result) =>
    result.status === 'refused'
      ? discardCharge(context, begun, input, result)
      : finishWith(context, begun, reportOfGateway(charge, result), outcomeOf),
  );
}

/** Begins a charge, or continues the one that an earlier request began under the same key. */
async function beginCharge(
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
  const charge = await charges.find(context.lasting, callerOf(context).org, subjectId);
  if (!charge) throw new Error('A pending charge was not found.');
  return charge;
}

function ask({ gateway }: Context, charge: ChargeRow, source: string): Promise<ChargeResult> {
  const { id, reference, amount, currency, createdAt } = charge;
  return gateway.charge({ key: reference, chargeId: id, amount, currency, source, since: createdAt });
}

/** Discards a charge that the gateway refused without trying it, as if it had never been requested. */
async function discardCharge(
  context: Context,
  begun: StartedWork,
  input: CreateChargeInput,
  result: Extract<ChargeResult, { status: 'refused' }>,
): Promise<never> {
  const { org } = callerOf(context);
  await context.work.abandon(begun, (tx) => removePendingCharge(tx, { org, id: begun.subjectId }));
  throw refusal(readPrice(input), result);
}

/**
 * Whether the outcome of a charge is final. A failure that only a message has reported is not: the gateway may still report that money
 * moved, so a retry asks it again, and does not store the failure under the key.
 */
const isConfirmed = ({ status, checkAt }: ChargeRow): boolean =>
  status !== 'pending' && (status !== 'failed' || checkAt === null);

/** The outcome of the request for a settled charge. */
function outcomeOf(charge: ChargeRow): Outcome<ChargeRow> {
  return charge.status === 'failed' ? { error: declined(charge.failureCode) } : { value: charge };
}

/** @param reason the gateway's code. */
function declined(reason: string | null): ApiError {
  const detail = reason && reason !== 'card_declined' ? ` (${reason})` : '';
  return new ApiError('card_declined', { message: `The payment source was declined${detail}.` });
}

/** The amount to charge, and the paths of the arguments that it was read from. */
interface Price {
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
function readPrice({ amount, minorAmount, orderId }: CreateChargeInput): Price {
  if (amount == null) {
    if (minorAmount == null) throw invalidValue('input.amount', 'is required');
    const path = 'input.minorAmount';
    return { amount: minorAmount, currency: DEFAULT_CURRENCY, amountPath: path, currencyPath: path };
  }
  if (minorAmount != null) throw invalidValue('input.minorAmount', 'cannot be combined with amount');
  // An order that exists can be paid. The currency of the charge must be that of its order.
  const read = toMinorUnits(amount.value, amount.currency, {
    mayBeWithdrawn: orderId != null,
    most: LIMITS.chargeAmount,
  });
  if ('problem' in read) throw invalidValue(`input.amount.${read.at}`, read.problem);
  if (read.minorUnits < 1) throw invalidValue('input.amount.value', 'must be above 0');
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
async function findPayableOrder(
  db: Runner,
  org: string,
  orderId: string | null | undefined,
): Promise<ListedOrder | null> {
  if (orderId == null) return null;
  const id = parseId(orderId);
  const order = id === undefined ? undefined : await orders.find(db, org, id);
  if (!order) {
    if (id !== undefined) refuseForeign(org, await orders.orgOf(db, id));
    throw invalidValue('input.orderId', 'is not an order of your organisation');
  }
  if (order.status === 'cancelled') {
    throw new ApiError('conflict', { message: 'The order was cancelled and cannot be paid.' });
  }
  return order;
}

/** @throws ApiError `validation_failed` if the amount and its order have different currencies. */
function requireSameCurrency({ currency, currencyPath }: Price, order: ListedOrder | null): void {
  if (!order || order.currency === currency) return;
  throw invalidValue(currencyPath, `is in ${currency}, but the order is in ${order.currency}`);
}

/** Turns a refusal of the gateway into an error about the argument that caused it. */
function refusal(
  { amountPath, currencyPath }: Price,
  { at, problem }: { readonly at: 'amount' | 'currency' | 'source'; readonly problem: string },
): ApiError {
  return invalidValue({ amount: amountPath, currency: currencyPath, source: 'input.source' }[at], problem);
}

/** Masks a payment source: `tok_1N3T00LkdIwHu7ix` becomes `tok_****u7ix`. Short tokens are masked completely. */
function maskSource(source: string): string {
  const prefix = /^[a-z]{1,8}_/.exec(source)?.[0] ?? '';
  const rest = source.slice(prefix.length);
  return `${prefix}****${rest.length >= MASKED_LENGTH ? rest.slice(-4) : ''}`;
}

/** The minimum number of characters of a token whose last four are shown. */
const MASKED_LENGTH = 12;
