import { isRecord } from '../../src/core/json.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { stripeAmount } from '../../src/payments/stripe-amounts.ts';
import { parseId } from '../shared/lookup.ts';
import { type PaymentNotice, textOf } from './notices.ts';

/** A JSON object. Only some members are read, since Stripe may add others. */
type Members = Readonly<Record<string, unknown>>;

/** How to read the object of each Stripe event type (https://docs.stripe.com/api/events/types). */
const READERS: Readonly<Record<string, (object: Members) => PaymentNotice | undefined>> = {
  'payment_intent.succeeded': (intent) => ofIntent(intent, 'succeeded'),
  'payment_intent.payment_failed': (intent) => ofIntent(intent, 'failed'),
  'payment_intent.canceled': (intent) => ofIntent(intent, 'failed'),
  'charge.succeeded': (charge) => ofCharge(charge, 'succeeded'),
  'charge.failed': (charge) => ofCharge(charge, 'failed'),
  // Stripe also sends this for partial refunds, which are ignored here.
  'charge.refunded': (charge) => (charge['refunded'] === true ? ofCharge(charge, 'refunded') : undefined),
  'charge.refund.updated': ofRefund,
  'refund.created': ofRefund,
  'refund.updated': ofRefund,
  'refund.failed': ofRefund,
};

/** Reads a Stripe event; undefined if it does not report a state of a charge. */
export function noticeOfStripe(event: unknown): PaymentNotice | undefined {
  const { type, data } = membersOf(event);
  const read = typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return read?.(membersOf(membersOf(data)['object']));
}

function ofIntent(intent: Members, to: PaymentNotice['to']): PaymentNotice {
  const error = membersOf(intent['last_payment_error']);
  return {
    to,
    ...named(membersOf(intent['metadata'])),
    paymentId: textOf(intent['id']),
    failureCode: textOf(error['decline_code']) ?? textOf(error['code']),
  };
}

/** Stripe copies the metadata of a payment to its charges. */
function ofCharge(charge: Members, to: PaymentNotice['to']): PaymentNotice {
  return {
    to,
    ...named(membersOf(charge['metadata'])),
    paymentId: textOf(charge['payment_intent']),
    failureCode: textOf(membersOf(charge['outcome'])['reason']) ?? textOf(charge['failure_code']),
  };
}

/** Reads a refund, which identifies only its payment. */
function ofRefund(refund: Members): PaymentNotice | undefined {
  const to = STATE_OF_REFUND.get(refund['status']);
  if (!to) return undefined;
  const isWhole = ({ amount, currency }: ChargeRow) => stripeAmount(amount, currency) === refund['amount'];
  const paymentId = textOf(refund['payment_intent']);
  const refundReference = textOf(membersOf(refund['metadata'])['reference']);
  const notice = { to, chargeId: undefined, paymentId, failureCode: null, refundReference };
  // Partial refunds are recorded by the requests for them. Only a message reports that one has failed afterwards.
  return to === 'refunded' ? { ...notice, fits: isWhole } : notice;
}

const STATE_OF_REFUND: ReadonlyMap<unknown, PaymentNotice['to']> = new Map([
  ['succeeded', 'refunded'],
  ['failed', 'not refunded'],
  ['canceled', 'not refunded'],
]);

/**
 * The charge in the metadata of a payment. Several servers may share one Stripe account, each with its own ids, so the reference
 * must match that of the charge as well.
 */
function named({ charge_id: id, reference }: Members): Pick<PaymentNotice, 'chargeId' | 'fits'> {
  if (typeof id !== 'string' || typeof reference !== 'string') return { chargeId: undefined };
  return { chargeId: parseId(id), fits: (charge) => charge.reference === reference };
}

const membersOf = (value: unknown): Members => (isRecord(value) ? value : {});
