import { ApiError } from '../../src/core/errors.ts';
import type { Transaction } from '../../src/db/database.ts';
import { findChargeInAnyOrganisation, findChargeOfPayment } from '../../src/db/queries/charges.ts';
import { notePaymentEvent } from '../../src/db/queries/payment-events.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import type { PaymentEventInput } from '../../src/generated/resolvers.ts';
import { type ChargeReport, settle } from '../../src/payments/settling.ts';
import { checkAfter } from '../charge/gateway-responses.ts';
import type { Context } from '../shared/context.ts';
import { parseId } from '../shared/lookup.ts';

export interface PaymentEventReceiptNode {
  readonly applied: boolean;
  readonly charge: ChargeRow | null;
}

/** What a message says became of a charge, and by what it names the charge. */
export interface PaymentNotice {
  /** `not refunded`: a refund that was on its way has failed. */
  readonly to: ChargeReport['to'] | 'not refunded';
  readonly chargeId: number | undefined;
  readonly paymentId: string | null;
  readonly failureCode: string | null;
  /** Whether it is about this charge, as far as the message says more of it than its names. */
  readonly fits?: (charge: ChargeRow) => boolean;
}

/** What each type of message says became of a charge. `settle` knows from where a charge can come there. */
const WORDS: ReadonlyMap<string, ChargeReport['to']> = new Map([
  ['charge.succeeded', 'succeeded'],
  ['charge.failed', 'failed'],
  ['charge.refunded', 'refunded'],
]);

/**
 * What a message says, undefined for one that is not about a charge.
 *
 * @throws ApiError `validation_failed` for data that cannot be read.
 */
export function noticeOf({ type, data }: PaymentEventInput): PaymentNotice | undefined {
  const to = WORDS.get(type);
  if (!to) return undefined;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new ApiError('validation_failed', {
      details: [{ path: 'input.data', message: 'must be an object' }],
    });
  }
  // Providers add members as they please; these are looked at one by one.
  const { charge_id: id, payment_id: paymentId, failure_code: failureCode } = data as Record<string, unknown>;
  return { to, chargeId: idOf(id), paymentId: textOf(paymentId), failureCode: textOf(failureCode) };
}

/**
 * Applies a message of the provider once: its id, the change and its event are one transaction. What is not about a charge of
 * ours is received all the same, since sending it again would not help.
 */
export function applyPaymentEvent(
  context: Context,
  messageId: string,
  notice: PaymentNotice | undefined,
): Promise<PaymentEventReceiptNode> {
  const { clock, notePaymentConflict } = context;
  return context.database.transaction(async (tx) => {
    const isNew = await notePaymentEvent(tx, messageId, clock());
    const charge = notice && (await findNamed(tx, notice));
    if (!isNew || !notice || !charge || !isAbout(notice, charge)) {
      return { applied: false, charge: charge ?? null };
    }
    if (notice.to === 'not refunded') {
      // The charge is settled, and money that did not come back is for people to look into.
      if (charge.status === 'refunded') {
        notePaymentConflict({ chargeId: charge.id, status: charge.status, said: notice.to });
      }
      return { applied: false, charge };
    }
    const parts = { clock, actorId: null, onConflict: notePaymentConflict };
    const settled = await settle(tx, reportOf(notice.to, notice, charge, clock()), parts);
    return { applied: settled !== undefined, charge: settled ?? charge };
  });
}

async function findNamed(
  tx: Transaction,
  { chargeId, paymentId }: PaymentNotice,
): Promise<ChargeRow | undefined> {
  if (chargeId !== undefined) return findChargeInAnyOrganisation(tx, chargeId);
  return paymentId === null ? undefined : findChargeOfPayment(tx, paymentId);
}

/** Not about another payment than the one that the charge is known to be. */
const isAbout = ({ paymentId, fits }: PaymentNotice, charge: ChargeRow): boolean =>
  (charge.paymentId === null || paymentId === null || charge.paymentId === paymentId) &&
  (fits?.(charge) ?? true);

function reportOf(
  to: ChargeReport['to'],
  { paymentId, failureCode }: PaymentNotice,
  { org, id }: ChargeRow,
  now: Date,
): ChargeReport {
  if (to !== 'failed') return { org, id, to, paymentId, failureCode: null, checkAt: null };
  // Messages come out of order, and a failure may be that of an earlier attempt: the gateway itself is asked.
  return { org, id, to, paymentId, failureCode: failureCode ?? 'card_declined', checkAt: checkAfter(now) };
}

const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? parseId(value) : undefined;

/** A text that fits a column and both engines keep. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;
