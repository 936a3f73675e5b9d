import { Rounds } from '../core/background.ts';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { unlessAborted } from '../core/promises.ts';
import type { Database } from '../db/database.ts';
import { charges, claimDueCharge, dueCharges } from '../db/queries/charges.ts';
import { claimDueRefund, dueRefunds, failRefund } from '../db/queries/refunds.ts';
import type { ChargeRow, RefundRow } from '../db/rows.ts';
import { type Gateway, NOT_MADE, type RecoveryResult, refundOf, withTimeout } from '../payments/gateway.ts';
import {
  type ChargeReport,
  type PaymentConflict,
  reportOfGateway,
  settle,
  settleRefund,
} from '../payments/settling.ts';

interface ReconcilerOptions {
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
export class Reconciler extends Rounds {
  readonly #options: ReconcilerOptions;

  constructor(options: ReconcilerOptions) {
    super(options.reconcileInterval);
    this.#options = options;
  }

  /** Checks every charge and refund that is due. Rejects with database errors. */
  async sweep(): Promise<void> {
    const { database, clock } = this.#options;
    const limit = LIMITS.reconcileBatch;
    const charges = await dueCharges(database, { now: clock(), limit });
    await this.#check(charges, (charge) => this.#reconcile(charge));
    const refunds = await dueRefunds(database, { now: clock(), limit });
    await this.#check(refunds, (refund) => this.#reconcileRefund(refund));
  }

  protected async round(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (!this.stopping.aborted) this.#options.onFailure(error);
    }
  }

  /** Checks what is due, several at once. What stays open when the server stops is left to the next sweep. */
  async #check<Row extends RefundRow | ChargeRow>(
    due: readonly Row[],
    reconcileOne: (row: Row) => Promise<void>,
  ): Promise<void> {
    const next = due.values();
    const work = async () => {
      for (const row of next) {
        if (this.stopping.aborted) return;
        await reconcileOne(row).catch((error: unknown) => {
          const id = 'chargeId' in row ? row.chargeId : row.id;
          if (!this.stopping.aborted) this.#options.onOpen(error, { id, createdAt: row.createdAt });
        });
      }
    };
    await Promise.all(Array.from({ length: LIMITS.reconcileConcurrency }, work));
  }

  async #reconcile(due: ChargeRow): Promise<void> {
    const { database, gateway, clock, onConflict } = this.#options;
    const now = clock();
    const charge = await database.transaction((tx) =>
      claimDueCharge(tx, { ...due, now, checkAt: nextCheck(due, now) }),
    );
    if (!charge) return;
    const { id: chargeId, reference: key, amount, currency, createdAt: since } = charge;
    const result = await this.#awaitGateway(gateway.recover({ key, chargeId, amount, currency, since }));
    const report = reportOf(charge, result);
    await database.transaction((tx) => settle(tx, report, { clock, actorId: null, onConflict }));
  }

  async #reconcileRefund(due: RefundRow): Promise<void> {
    const { database, gateway, clock } = this.#options;
    const now = clock();
    const refund = await database.transaction((tx) =>
      claimDueRefund(tx, { ...due, now, checkAt: nextCheck(due, now) }),
    );
    if (!refund) return;
    const charge = await charges.find(database, refund.org, refund.chargeId);
    if (!charge || charge.paymentId === null)
      throw new Error('A refund belongs to a charge that was not made.');
    const { paymentId, amount } = charge;
    const { status } = await this.#awaitGateway(gateway.refund(refundOf(refund, { paymentId, amount })));
    await database.transaction(async (tx) => {
      if (status === 'succeeded') await settleRefund(tx, refund, { clock, actorId: null });
      else await failRefund(tx, refund, clock());
    });
  }

  /** Waits for the gateway's response. Rejects when the server stops before. */
  #awaitGateway<T>(answer: Promise<T>): Promise<T> {
    return unlessAborted(withTimeout(answer, this.#options.gatewayTimeout), this.stopping);
  }
}

/** The time of the next check: after a pause as long as the age of the charge, within limits, so that the pauses double. */
function nextCheck({ createdAt }: Pick<ChargeRow, 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, LIMITS.reconcileAfter), LIMITS.reconcilePause));
}

function reportOf(charge: ChargeRow, result: RecoveryResult): ChargeReport {
  if (result.status === 'not made') {
    const { org, id } = charge;
    return { org, id, to: 'failed', paymentId: null, failureCode: NOT_MADE, checkAt: null };
  }
  return reportOfGateway(charge, result);
}
