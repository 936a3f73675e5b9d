import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { findCharge } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { KeyTaken } from '../../src/idempotency/keyed-work.ts';
import type { Outcome } from '../../src/idempotency/outcome.ts';
import type { StartedWork } from '../../src/idempotency/work.ts';
import { withTimeout } from '../../src/payments/deadline.ts';
import { type ChargeReport, settle } from '../../src/payments/settling.ts';
import { type Context, callerOf } from '../shared/context.ts';

/** When the reconciler is to ask about something that is begun now. */
export const checkAfter = (now: Date): Date => new Date(now.getTime() + LIMITS.reconcileAfter);

/**
 * Waits for the gateway's response and its processing. When it is late, the caller gets `timeout`, and its processing
 * is done all the same; a server that stops waits for that.
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
    // A failure in time is the response to the caller; one that came late may have failed as well.
    concluded.catch((late: unknown) => {
      if (late !== error && !isExpected(late)) noteLateFailure(late);
    });
    throw error;
  }
  return concluded;
}

/** A card that was declined, or another request under the key that goes on. */
const isExpected = (error: unknown): boolean =>
  error instanceof KeyTaken || (error instanceof ApiError && error.status < 500);

/**
 * Writes what the gateway said of a charge, and keeps how the charge then stands under the key: another word may have come first.
 *
 * @throws KeyTaken when another request goes on under the key. Money that moved is written all the same: that one will find it so.
 */
export async function finishWith(
  context: Context,
  begun: StartedWork,
  report: ChargeReport,
  outcomeOf: (charge: ChargeRow) => Outcome<ChargeRow>,
): Promise<ChargeRow> {
  const { work, clock, lasting, notePaymentConflict } = context;
  const { org, userId } = callerOf(context);
  const parts = { clock, actorId: userId, onConflict: notePaymentConflict };
  try {
    return await work.finish(begun, async (tx) => {
      const charge = (await settle(tx, report, parts)) ?? (await findCharge(tx, org, report.id));
      if (!charge) throw new Error('A charge that was begun is not there any more.');
      return outcomeOf(charge);
    });
  } catch (error) {
    // A failure is left to that request: it may be asked otherwise.
    if (error instanceof KeyTaken && report.to !== 'failed')
      await lasting.transaction((tx) => settle(tx, report, parts));
    throw error;
  }
}
