import type { Clock } from '../core/clock.ts';
import { toMajorUnits } from '../core/money.ts';
import type { Transaction } from '../db/database.ts';
import { charges, closeCharge, type Settlement, settleCharge } from '../db/queries/charges.ts';
import { completeRefund } from '../db/queries/refunds.ts';
import type { ChargeRow, ChargeStatus, RefundRow } from '../db/rows.ts';
import { record } from '../events/record.ts';
import type { Settled } from './gateway.ts';

/** A reported outcome of a charge. */
export type ChargeReport = Omit<Settlement, 'from'>;

/** Two contradictory reports about one charge. The one in which money moved wins. */
export interface PaymentConflict {
  readonly chargeId: number;
  readonly status: ChargeStatus;
  readonly said: string;
}

/**
 * The states that each report may change. Reports arrive late and out of order, and a charge only moves forward: success overrides
 * failure, and a refund implies that the charge had succeeded.
 */
const FROM: Readonly<Record<ChargeReport['to'], readonly ChargeStatus[]>> = {
  failed: ['pending'],
  succeeded: ['pending', 'failed'],
  refunded: ['pending', 'failed', 'succeeded'],
};

/** Converts the gateway's response about a charge to a report. */
export function reportOfGateway({ org, id }: Pick<ChargeRow, 'org' | 'id'>, result: Settled): ChargeReport {
  const { paymentId } = result;
  if (result.status === 'succeeded')
    return { org, id, to: 'succeeded', paymentId, failureCode: null, checkAt: null };
  return { org, id, to: 'failed', paymentId, failureCode: result.reason, checkAt: null };
}

interface SettlingParts {
  readonly clock: Clock;
  /** The caller who requested the charge; null for a report of the provider. */
  readonly actorId: number | null;
  /** Called with a failure report about a charge that succeeded. */
  readonly onConflict: (conflict: PaymentConflict) => void;
}

/**
 * Records the outcome of a charge, with its event.
 *
 * @returns undefined if the report changes nothing.
 */
export async function settle(
  tx: Transaction,
  report: ChargeReport,
  { clock, actorId, onConflict }: SettlingParts,
): Promise<ChargeRow | undefined> {
  const charge = await settleCharge(tx, { ...report, from: FROM[report.to], now: clock() });
  if (charge) await recordEvent(tx, charge, report.to, { clock, actorId });
  else await compare(tx, report, onConflict);
  return charge;
}

/**
 * Records that a refund has succeeded, with the event of its charge: refunded or partially refunded.
 *
 * @returns false if it was recorded before.
 */
export async function settleRefund(
  tx: Transaction,
  refund: Pick<RefundRow, 'org' | 'id'>,
  { clock, actorId }: Pick<SettlingParts, 'clock' | 'actorId'>,
): Promise<boolean> {
  const { refund: completed, charge } = await completeRefund(tx, refund, clock());
  // If the provider has reported before that the charge is refunded, the log already has the event.
  if (charge && charge.status !== 'pending') {
    await recordEvent(tx, charge, charge.status, { clock, actorId }, completed);
  }
  return completed !== undefined;
}

async function recordEvent(
  tx: Transaction,
  { id, org, orderId, amount, currency, failureCode }: ChargeRow,
  status: ChargeReport['to'],
  { clock, actorId }: Pick<SettlingParts, 'clock' | 'actorId'>,
  refund?: RefundRow,
): Promise<void> {
  const money = (minorUnits: number) => ({ value: toMajorUnits(minorUnits, currency), currency });
  const data = {
    amount: money(amount),
    status,
    order_id: orderId,
    ...(failureCode !== null && { failure_code: failureCode }),
    ...(refund && { refund: { id: refund.id, amount: money(refund.amount) } }),
  };
  const type = refund && status === 'succeeded' ? 'charge.partially_refunded' : (`charge.${status}` as const);
  await record(tx, { org, type, actorId, subjectId: id, data }, clock);
}

/** Handles a report that changes nothing, because another one came first. */
async function compare(
  tx: Transaction,
  { org, id, to, paymentId, checkAt }: ChargeReport,
  onConflict: SettlingParts['onConflict'],
): Promise<void> {
  // The gateway itself confirms the state, so no check is left. A message may have reported the success before, without its payment.
  if (checkAt === null) await closeCharge(tx, { org, id, paymentId: to === 'succeeded' ? paymentId : null });
  if (to !== 'failed') return;
  const charge = await charges.find(tx, org, id);
  if (charge?.status === 'succeeded' || charge?.status === 'refunded') {
    onConflict({ chargeId: id, status: charge.status, said: to });
  }
}
