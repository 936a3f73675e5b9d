import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { claimDueCharge, closeCharge, dueCharges, noteRefundEnded } from '../db/queries/charges.ts';
import type { ChargeRow } from '../db/rows.ts';
import { withTimeout } from '../payments/deadline.ts';
import {
  type Gateway,
  NOT_MADE,
  type RecoveryRequest,
  type RecoveryResult,
  refundOf,
} from '../payments/gateway.ts';
import {
  type ChargeReport,
  type PaymentConflict,
  refunded,
  reportOfGateway,
  settle,
} from '../payments/settling.ts';

export interface Reconciler {
  /** Begins to look, and does so again from time to time. */
  start(): void;
  /** Asks about every charge that is due. Rejects with what the database refuses. */
  sweep(): Promise<void>;
  /** Resolves when nothing is asked any more. What was asked and not answered stays open, for the next look. */
  stop(): Promise<void>;
}

export interface ReconcilerOptions {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly reconcileInterval: number;
  /** Milliseconds that the gateway has to answer. */
  readonly gatewayTimeout: number;
  /** Told of a charge that stays open, and why; it is asked about again in its time. */
  readonly onOpen: (error: unknown, charge: Pick<ChargeRow, 'id' | 'createdAt'>) => void;
  readonly onConflict: (conflict: PaymentConflict) => void;
  /** Told of a look that failed; the next one comes in its time. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Asks the gateway about every charge and refund whose outcome is not known, until it is: their process died, or the gateway gave
 * no useful answer. Their clients need not come back for that.
 *
 * Several instances may look at once. Taking a charge up moves the moment of the next question, in a guarded statement, so one
 * of them asks; and the gateway decides by the key of the charge, so a request that still runs elsewhere does no harm.
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { database, gateway, clock, onOpen, onConflict, onFailure } = options;
  const { reconcileInterval, gatewayTimeout } = options;
  const stopping = new AbortController();
  let working: Promise<void> | undefined;

  /** What the gateway says, unless the server stops before. */
  const awaitGateway = <T>(answer: Promise<T>): Promise<T> =>
    unlessAborted(withTimeout(answer, gatewayTimeout), stopping.signal);
  const write = (report: ChargeReport) =>
    database.transaction((tx) => settle(tx, report, { clock, actorId: null, onConflict }));

  async function reconcile(due: ChargeRow): Promise<void> {
    const now = clock();
    const charge = await database.transaction((tx) =>
      claimDueCharge(tx, due.id, timesAt(now), nextCheck(due, now)),
    );
    if (!charge) return;
    const { id, status, paymentId, refundBegunAt } = charge;
    if (status === 'pending' || status === 'failed') {
      await write(reportOf(id, await awaitGateway(gateway.recover(questionOf(charge)))));
    } else if (status === 'succeeded' && refundBegunAt && paymentId !== null) {
      const { status: end } = await awaitGateway(gateway.refund(refundOf(charge, paymentId)));
      if (end === 'succeeded') await write(refunded(id));
      else await database.transaction((tx) => noteRefundEnded(tx, id));
    } else {
      // A former version of the server has settled it, which does not clear the time of the next question.
      await database.transaction((tx) => closeCharge(tx, id));
    }
  }

  async function sweep(): Promise<void> {
    const charges = await dueCharges(database, timesAt(clock()), LIMITS.reconcileBatch);
    const next = charges.values();
    const work = async () => {
      for (const charge of next) {
        if (stopping.signal.aborted) return;
        await reconcile(charge).catch((error: unknown) => {
          if (!stopping.signal.aborted) onOpen(error, charge);
        });
      }
    };
    await Promise.all(Array.from({ length: LIMITS.reconcileConcurrency }, work));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) => {
        if (!stopping.signal.aborted) onFailure(error);
      });
      // The only error that a pause has is that it was ended.
      await sleep(reconcileInterval, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      working ??= run();
    },
    sweep,
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** The listener goes with the work: the signal lives as long as the process. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const timesAt = (now: Date) => ({ now, begunBefore: new Date(now.getTime() - LIMITS.reconcileAfter) });

/** The time since it was begun, within bounds, so that the pauses double. */
function nextCheck({ createdAt, refundBegunAt }: ChargeRow, now: Date): Date {
  const age = now.getTime() - (refundBegunAt ?? createdAt).getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, LIMITS.reconcileAfter), LIMITS.reconcilePause));
}

const questionOf = ({ id, reference, amount, currency, createdAt }: ChargeRow): RecoveryRequest => ({
  key: reference,
  chargeId: id,
  amount,
  currency,
  since: createdAt,
});

function reportOf(id: number, result: RecoveryResult): ChargeReport {
  if (result.status === 'not made') {
    return { id, to: 'failed', paymentId: null, failureCode: NOT_MADE, checkAt: null };
  }
  return reportOfGateway(id, result);
}
