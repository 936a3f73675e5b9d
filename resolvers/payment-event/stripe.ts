import type { ChargeRow } from '../../src/db/rows.ts';
import { stripeAmount } from '../../src/payments/stripe-amounts.ts';
import { parseId } from '../shared/lookup.ts';
import type { PaymentNotice } from './notices.ts';

/** A JSON object of which only some members are looked at; Stripe adds members as it pleases. */
type Members = Readonly<Record<string, unknown>>;

/** What each type of Stripe's events says of the object that it carries (https://docs.stripe.com/api/events/types). */
const READERS: Readonly<Record<string, (object: Members) => PaymentNotice | undefined>> = {
  'payment_intent.succeeded': (intent) => ofIntent(intent, 'succeeded'),
  'payment_intent.payment_failed': (intent) => ofIntent(intent, 'failed'),
  'payment_intent.canceled': (intent) => ofIntent(intent, 'failed'),
  'charge.succeeded': (charge) => ofCharge(charge, 'succeeded'),
  'charge.failed': (charge) => ofCharge(charge, 'failed'),
  // It comes for a part of the amount as well, which is not refunded here.
  'charge.refunded': (charge) => (charge['refunded'] === true ? ofCharge(charge, 'refunded') : undefined),
  'charge.refund.updated': ofRefund,
  'refund.created': ofRefund,
  'refund.updated': ofRefund,
  'refund.failed': ofRefund,
};

/** What an event of Stripe's says of a charge, undefined for one that says nothing of a charge. */
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

/** A refund names its payment alone. */
function ofRefund(refund: Members): PaymentNotice | undefined {
  const to = ENDS.get(refund['status']);
  if (!to) return undefined;
  const isWhole = ({ amount, currency }: ChargeRow) => stripeAmount(amount, currency) === refund['amount'];
  const paymentId = textOf(refund['payment_intent']);
  return { to, chargeId: undefined, paymentId, failureCode: null, fits: isWhole };
}

const ENDS: ReadonlyMap<unknown, PaymentNotice['to']> = new Map([
  ['succeeded', 'refunded'],
  ['failed', 'not refunded'],
  ['canceled', 'not refunded'],
]);

/**
 * The charge that was given along with a payment. Several servers may use one account of Stripe's, each with its own ids, so the
 * reference must be the charge's as well.
 */
function named({ charge_id: id, reference }: Members): Pick<PaymentNotice, 'chargeId' | 'fits'> {
  if (typeof id !== 'string' || typeof reference !== 'string') return { chargeId: undefined };
  return { chargeId: parseId(id), fits: (charge) => charge.reference === reference };
}

const membersOf = (value: unknown): Members =>
  // An object of JSON is one of its members.
  typeof value === 'object' && value !== null ? (value as Members) : {};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;
