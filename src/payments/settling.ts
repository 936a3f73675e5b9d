import type { Clock } from '../core/clock.ts';
import { toMajorUnits } from '../core/money.ts';
import type { Transaction } from '../db/database.ts';
import {
  closeCharge,
  findChargeInAnyOrganisation,
  type Settlement,
  settleCharge,
} from '../db/queries/charges.ts';
import type { ChargeRow, ChargeStatus } from '../db/rows.ts';
import { record } from '../events/record.ts';
import type { Settled } from './gateway.ts';

/** What somebody says became of a charge. */
export type ChargeReport = Pick<Settlement, 'id' | 'to' | 'paymentId' | 'failureCode' | 'checkAt'>;

/** Two words about one charge that cannot both be true; the one that says that money moved stands. */
export interface PaymentConflict {
  readonly chargeId: number;
  readonly status: ChargeStatus;
  readonly said: string;
}

/**
 * From where each word takes a charge. Words come late and out of order, and a charge only moves forward: money that moved is
 * final over a failure, and a refund says as well that the charge had succeeded.
 */
const FROM: Readonly<Record<ChargeReport['to'], readonly ChargeStatus[]>> = {
  failed: ['pending'],
  succeeded: ['pending', 'failed'],
  refunded: ['pending', 'failed', 'succeeded'],
};

/** The gateway's own answer about a charge. */
export function reportOfGateway(id: number, result: Settled): ChargeReport {
  const { paymentId } = result;
  if (result.status === 'succeeded')
    return { id, to: 'succeeded', paymentId, failureCode: null, checkAt: null };
  return { id, to: 'failed', paymentId, failureCode: result.reason, checkAt: null };
}

/** The gateway's own answer that it has given back what a charge took. */
export const refunded = (id: number): ChargeReport => ({
  id,
  to: 'refunded',
  paymentId: null,
  failureCode: null,
  checkAt: null,
});

export interface SettlingParts {
  readonly clock: Clock;
  /** Who asked for it; null where it is the provider's word alone. */
  readonly actorId: number | null;
  /** Called with a word that says that no money moved of a charge for which it did. */
  readonly onConflict: (conflict: PaymentConflict) => void;
}

/**
 * Writes what became of a charge, with its event.
 *
 * @returns undefined when the word says nothing new.
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

async function recordEvent(
  tx: Transaction,
  { id, org, orderId, amount, currency, failureCode }: ChargeRow,
  status: ChargeReport['to'],
  { clock, actorId }: Pick<SettlingParts, 'clock' | 'actorId'>,
): Promise<void> {
  const data = {
    amount: { value: toMajorUnits(amount, currency), currency },
    status,
    order_id: orderId,
    ...(failureCode !== null && { failure_code: failureCode }),
  };
  await record(tx, { org, type: `charge.${status}`, actorId, subjectId: id, data }, clock);
}

/** What is to be done about a word that came after another one. */
async function compare(
  tx: Transaction,
  { id, to, checkAt }: ChargeReport,
  onConflict: SettlingParts['onConflict'],
): Promise<void> {
  // The gateway's own word confirms what is there, so there is nothing left to ask.
  if (checkAt === null) await closeCharge(tx, id);
  if (to !== 'failed') return;
  const charge = await findChargeInAnyOrganisation(tx, id);
  if (charge?.status === 'succeeded' || charge?.status === 'refunded') {
    onConflict({ chargeId: id, status: charge.status, said: to });
  }
}
