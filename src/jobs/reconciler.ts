import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { claimDueCharge, closeCharge, dueCharges, findCharge } from '../db/queries/charges.ts';
import { claimDueRefund, dueRefunds, failRefund } from '../db/queries/refunds.ts';
import type { ChargeRow, RefundRow } from '../db/rows.ts';
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
  reportOfGateway,
  settle,
  settleRefund,
} from '../payments/settling.ts';

export interface Reconciler {
  /** Starts to check periodically. */
  start(): void;
  /** Checks every charge that is due. Rejects with database errors. */
  sweep(): Promise<void>;
  /** Resolves when all checks have stopped. Charges without an outcome stay open for the next sweep. */
  stop(): Promise<void>;
}

export interface ReconcilerOptions {
  readonly database: Database;
  readonly gateway: Gateway;
  readonly clock: Clock;
  /** Milliseconds between two sweeps. */
  readonly reconcileInterval: number;
  /** Milliseconds to wait for the gateway. */
  readonly gatewayTimeout: number;
  /** Called for a charge that stays open, with the reason; it is checked again later. */
  readonly onOpen: (error: unknown, charge: Pick<ChargeRow, 'id' | 'createdAt'>) => void;
  readonly onConflict: (conflict: PaymentConflict) => void;
  /** Called for a failed sweep. The next sweep is not affected. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Queries the gateway about every charge and refund with an unknown outcome, because the process died or the gateway gave no usable
 * response. So the outcome does not depend on clients that retry.
 *
 * Several instances may sweep at once. Claiming a charge moves the time of its next check in a guarded statement, so only one of
 * them checks it. A request that is still running elsewhere does no harm, since the gateway recognises the key of the charge.
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { database, gateway, clock, onOpen, onConflict, onFailure } = options;
  const { reconcileInterval, gatewayTimeout } = options;
  const stopping = new AbortController();
  let working: Promise<void> | undefined;

  /** Waits for the gateway's response. Rejects when the server stops before. */
  const awaitGateway = <T>(answer: Promise<T>): Promise<T> =>
    unlessAborted(withTimeout(answer, gatewayTimeout), stopping.signal);
  const write = (report: ChargeReport) =>
    database.transaction((tx) => settle(tx, report, { clock, actorId: null, onConflict }));

  async function reconcile(due: ChargeRow): Promise<void> {
    const now = clock();
    const charge = await database.transaction((tx) =>
      claimDueCharge(tx, due, timesAt(now), nextCheck(due, now)),
    );
    if (!charge) return;
    const { org, id, status } = charge;
    if (status === 'pending' || status === 'failed') {
      await write(reportOf(charge, await awaitGateway(gateway.recover(recoveryRequestOf(charge)))));
    } else {
      // A previous version of the server has settled the charge without clearing the time of its next check.
      await database.transaction((tx) => closeCharge(tx, org, id));
    }
  }

  async function reconcileRefund(due: RefundRow): Promise<void> {
    const now = clock();
    const refund = await database.transaction((tx) => claimDueRefund(tx, due, now, nextCheck(due, now)));
    if (!refund) return;
    const charge = await findCharge(database, refund.org, refund.chargeId);
    if (!charge || charge.paymentId === null)
      throw new Error('A refund belongs to a charge that was not made.');
    const { paymentId, amount } = charge;
    const { status } = await awaitGateway(gateway.refund(refundOf(refund, { paymentId, amount })));
    await database.transaction(async (tx) => {
      if (status === 'succeeded') await settleRefund(tx, refund, { clock, actorId: null });
      else await failRefund(tx, refund, clock());
    });
  }

  /** Checks what is due, several at once. */
  async function check<Row extends RefundRow | ChargeRow>(
    due: readonly Row[],
    reconcileOne: (row: Row) => Promise<void>,
  ): Promise<void> {
    const next = due.values();
    const work = async () => {
      for (const row of next) {
        if (stopping.signal.aborted) return;
        await reconcileOne(row).catch((error: unknown) => {
          const id = 'chargeId' in row ? row.chargeId : row.id;
          if (!stopping.signal.aborted) onOpen(error, { id, createdAt: row.createdAt });
        });
      }
    };
    await Promise.all(Array.from({ length: LIMITS.reconcileConcurrency }, work));
  }

  async function sweep(): Promise<void> {
    await check(await dueCharges(database, timesAt(clock()), LIMITS.reconcileBatch), reconcile);
    await check(await dueRefunds(database, clock(), LIMITS.reconcileBatch), reconcileRefund);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) => {
        if (!stopping.signal.aborted) onFailure(error);
      });
      // The pause rejects only when it is aborted.
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

/** Rejects when the signal aborts. The listener is removed when the work ends, since the signal lives as long as the process. */
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

/** The time of the next check: after a pause as long as the age of the charge, within limits, so that the pauses double. */
function nextCheck({ createdAt }: Pick<ChargeRow, 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, LIMITS.reconcileAfter), LIMITS.reconcilePause));
}

const recoveryRequestOf = ({ id, reference, amount, currency, createdAt }: ChargeRow): RecoveryRequest => ({
  key: reference,
  chargeId: id,
  amount,
  currency,
  since: createdAt,
});

function reportOf(charge: ChargeRow, result: RecoveryResult): ChargeReport {
  if (result.status === 'not made') {
    const { org, id } = charge;
    return { org, id, to: 'failed', paymentId: null, failureCode: NOT_MADE, checkAt: null };
  }
  return reportOfGateway(charge, result);
}
