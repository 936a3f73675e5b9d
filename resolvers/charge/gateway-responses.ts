import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Transaction } from '../../src/db/database.ts';
import { charges } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { KeyTaken } from '../../src/idempotency/keyed-work.ts';
import type { Outcome, StartedWork } from '../../src/idempotency/work.ts';
import { withTimeout } from '../../src/payments/gateway.ts';
import { type ChargeReport, settle } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';

/** The time at which the reconciler queries the gateway about a charge or refund that begins now. */
export const checkAfter = (now: Date): Date => new Date(now.getTime() + LIMITS.reconcileAfter);

/**
 * Waits for the gateway's response and for `conclude` to process it. If the response is late, the caller gets
 * `payment_gateway_unavailable` and the response is processed later; a server waits for that before it stops.
 */
export async function awaitGateway<Answer, Result>(
  { gatewayTimeout, pendingWork, noteLateFailure }: Context,
  answer: Promise<Answer>,
  conclude: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  const concluded = pendingWork.add(answer.then(conclude));
  try {
    await withTimeout(answer, gatewayTimeout);
  } catch (error) {
    // The caller gets the error. A late response may fail as well, which is only reported.
    concluded.catch((late: unknown) => {
      if (late !== error && !isExpected(late)) noteLateFailure(late);
    });
    throw error;
  }
  return concluded;
}

/** Whether the failure is a declined card, or means that another request with the same key has taken over. */
const isExpected = (error: unknown): boolean =>
  error instanceof KeyTaken || (error instanceof ApiError && error.status < 500);

/**
 * Settles a charge with the gateway's response and stores the resulting state under the idempotency key. The charge may have been
 * settled by another report before.
 *
 * @throws KeyTaken if another request with the key has taken over. Money that moved is still recorded, for that request to find.
 */
export async function finishWith(
  context: Context,
  begun: StartedWork,
  report: ChargeReport,
  outcomeOf: (charge: ChargeRow) => Outcome<ChargeRow>,
): Promise<ChargeRow> {
  const { clock, notePaymentConflict } = context;
  const { org, userId } = callerOf(context);
  const settleCharge = (tx: Transaction) =>
    settle(tx, report, { clock, actorId: userId, onConflict: notePaymentConflict });
  const finish = async (tx: Transaction) => {
    const charge = (await settleCharge(tx)) ?? (await charges.find(tx, org, report.id));
    if (!charge) throw new Error('A charge no longer exists.');
    return outcomeOf(charge);
  };
  // A failure is not recorded: the request that has taken over may still succeed.
  return finishOrRecord(context, begun, finish, report.to === 'failed' ? undefined : settleCharge);
}

/**
 * Finishes the work of a mutation. If another request with the key has taken over, `record` still records that money moved.
 *
 * @throws KeyTaken in that case.
 */
export async function finishOrRecord<T>(
  { work, lasting }: Pick<Context, 'work' | 'lasting'>,
  begun: StartedWork,
  finish: (tx: Transaction) => Promise<Outcome<T>>,
  record: ((tx: Transaction) => Promise<unknown>) | undefined,
): Promise<T> {
  try {
    return await work.finish(begun, finish);
  } catch (error) {
    if (error instanceof KeyTaken && record) await lasting.transaction(record);
    throw error;
  }
}
