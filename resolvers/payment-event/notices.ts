import { isIdentifier } from '../../src/core/characters.ts';
import { invalidValue } from '../../src/core/errors.ts';
import { isRecord } from '../../src/core/json.ts';
import type { Transaction } from '../../src/db/database.ts';
import { findChargeInAnyOrganisation, findChargeOfPayment } from '../../src/db/queries/charges.ts';
import { notePaymentEvent } from '../../src/db/queries/payment-events.ts';
import { findRefundByReference } from '../../src/db/queries/refunds.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { PaymentEventInput } from '../../src/generated/resolvers.ts';
import { NOT_MADE } from '../../src/payments/gateway.ts';
import { type ChargeReport, settle } from '../../src/payments/settling.ts';
import { checkAfter } from '../charge/gateway-responses.ts';
import type { Context } from '../shared/context.ts';
import { parseId } from '../shared/lookup.ts';

export interface PaymentEventReceiptNode {
  readonly applied: boolean;
  readonly charge: ChargeRow | null;
}

/** The content of a message about a charge: its reported state, and how the message identifies it. */
export interface PaymentNotice {
  /** The reported state. `not refunded` means that a refund, in full or in part, has failed. */
  readonly to: ChargeReport['to'] | 'not refunded';
  readonly chargeId: number | undefined;
  readonly paymentId: string | null;
  readonly failureCode: string | null;
  /** The reference of the refund that the message is about, if it is one of this server. */
  readonly refundReference?: string | null;
  /** A further check that the message is about this charge, if the message allows one. */
  readonly fits?: (charge: ChargeRow) => boolean;
}

/** The state that each message type reports. `settle` decides which transitions are allowed. */
const STATE_OF_TYPE: ReadonlyMap<string, ChargeReport['to']> = new Map([
  ['charge.succeeded', 'succeeded'],
  ['charge.failed', 'failed'],
  ['charge.refunded', 'refunded'],
]);

/** Reads a message; undefined if it is not about a charge. @throws ApiError `validation_failed` if `data` is not an object. */
export function noticeOf({ type, data }: PaymentEventInput): PaymentNotice | undefined {
  const to = STATE_OF_TYPE.get(type);
  if (!to) return undefined;
  if (!isRecord(data)) throw invalidValue('input.data', 'must be an object');
  // Providers may add members, so only these are read, and each is checked.
  const { charge_id: id, payment_id: paymentId, failure_code: failureCode } = data;
  return { to, chargeId: idOf(id), paymentId: textOf(paymentId), failureCode: textOf(failureCode) };
}

/**
 * Applies a message from the provider once: its id, the change and its event are stored in one transaction. A message about an
 * unknown charge is accepted as well, since sending it again would not help.
 */
export function applyPaymentEvent(
  context: Context,
  messageId: string,
  notice: PaymentNotice | undefined,
): Promise<PaymentEventReceiptNode> {
  const { clock, notePaymentConflict } = context;
  return context.database.transaction(async (tx) => {
    const isNew = await notePaymentEvent(tx, { messageId, now: clock() });
    const charge = notice && (await findNamed(tx, notice));
    if (!isNew || !notice || !charge || !isAbout(notice, charge)) {
      return { applied: false, charge: charge ?? null };
    }
    if (notice.to === 'not refunded') {
      // If a refund failed after it was recorded, a human has to look into it.
      if (await isRecorded(tx, notice, charge)) {
        notePaymentConflict({ chargeId: charge.id, status: charge.status, said: notice.to });
      }
      return { applied: false, charge };
    }
    if (notice.to === 'refunded' && isBeingRefunded(charge)) return { applied: false, charge };
    const parts = { clock, actorId: null, onConflict: notePaymentConflict };
    const settled = await settle(tx, reportOf(notice.to, notice, charge, clock()), parts);
    return { applied: settled !== undefined, charge: settled ?? charge };
  });
}

async function findNamed(
  tx: Transaction,
  { chargeId, paymentId }: PaymentNotice,
): Promise<ChargeRow | undefined> {
  if (chargeId !== undefined) return findChargeInAnyOrganisation(tx, { id: chargeId });
  return paymentId === null ? undefined : findChargeOfPayment(tx, { paymentId });
}

/**
 * Whether pending refunds of this server are for all that is left of a charge. A message that it is refunded is then about them: the request
 * for each of them, or the reconciler, records it with its own event, or that it has failed.
 */
const isBeingRefunded = ({ status, amount, amountRefunded, amountReserved }: ChargeRow): boolean =>
  status === 'succeeded' && amountRefunded < amount && amountReserved === amount;

/** Whether the refund of a message is recorded as made. One without a reference may be any of the charge. */
async function isRecorded(
  tx: Transaction,
  { refundReference: reference }: PaymentNotice,
  { org, amountRefunded }: ChargeRow,
): Promise<boolean> {
  const refund = reference == null ? undefined : await findRefundByReference(tx, { org, reference });
  return refund ? refund.status === 'succeeded' : amountRefunded > 0;
}

/** Whether the message does not contradict what is known about the charge: its payment id, and the check of the message. */
const isAbout = ({ paymentId, fits }: PaymentNotice, charge: ChargeRow): boolean =>
  (charge.paymentId === null || paymentId === null || charge.paymentId === paymentId) &&
  (fits?.(charge) ?? true);

function reportOf(
  to: ChargeReport['to'],
  { paymentId, failureCode }: PaymentNotice,
  { org, id, paymentId: known }: ChargeRow,
  now: Date,
): ChargeReport {
  // Messages arrive out of order, and the failure may be that of an earlier attempt: the reconciler will query the gateway.
  if (to === 'failed') {
    // Only the gateway itself can say that a charge was not made, so that its key may be used for another one.
    const code = failureCode === NOT_MADE ? null : failureCode;
    return { org, id, to, paymentId, failureCode: code ?? 'card_declined', checkAt: checkAfter(now) };
  }
  // Without the provider's identifier the charge could not be refunded, so the reconciler will query it.
  const isNamed = to === 'refunded' || (paymentId ?? known) !== null;
  return { org, id, to, paymentId, failureCode: null, checkAt: isNamed ? null : checkAfter(now) };
}

const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? parseId(value) : undefined;

/** An identifier or a code; null for anything else. */
export const textOf = (value: unknown): string | null => (isIdentifier(value) ? value : null);
