/** Charges, the payment gateway, and idempotency keys. */
import { DAY, MINUTE, SECOND } from './units.ts';

export const PAYMENTS = {
  /**
   * Minor units of one charge at most: what GraphQL's Int holds of nine digits. Gateways draw their own line below, by
   * currency and account.
   */
  chargeAmount: 999_999_999,
  /** Charges of an order that are added up to see whether it is paid, the largest first. Few orders are paid in two parts. */
  chargesAddedUp: 100,
  /** Characters of a payment source. Gateways' tokens have some 30. */
  paymentSourceLength: 255,
  /** Milliseconds in which the payment gateway must answer: below a request's deadline, and above a slow bank. */
  gatewayTimeout: 8 * SECOND,
  /** Milliseconds for one request to Stripe: a first attempt ends before the client gets 503. */
  stripeTimeout: 7 * SECOND,
  /**
   * Milliseconds after which the gateway is asked what became of a charge or refund that is still open: by then the request that
   * began it has ended, and its lease as well.
   */
  reconcileAfter: 30 * SECOND,
  /** Maximum milliseconds between two checks of one charge. The pauses double. */
  reconcilePause: 60 * MINUTE,
  /** Milliseconds between two looks for open charges, which is one small index. */
  reconcileInterval: 5 * SECOND,
  /** Charges that are read in one look. */
  reconcileBatch: 100,
  /** Questions to the gateway at a time, in one process: a backlog after an outage must not become the next one. */
  reconcileConcurrency: 8,
  /** Characters of an idempotency key: what Stripe takes, and four times a UUID with a prefix. */
  idempotencyKeyLength: 255,
  /**
   * Milliseconds that a request has its idempotency key for itself. Longer than the gateway may take, so that no request
   * goes on with a request that is alive; short, since a client of a server that died waits for it.
   */
  idempotencyLease: 20 * SECOND,
  /** Milliseconds that the outcome of a request is kept under its key: a day, as with Stripe. */
  idempotencyLifetime: 1 * DAY,
  /**
   * Milliseconds that a key is kept whose request has come to no outcome, from the last attempt on: without it a retry would
   * move the money again. In a month the payment provider's word has come, or an operator has checked its records.
   */
  unfinishedRecordLifetime: 30 * DAY,
  /** Milliseconds that the id of a payment event is kept. Providers give up on sending it again after some days. */
  paymentEventLifetime: 7 * DAY,
  /** Rows that are removed in one transaction: on a slow disk it is still over in some milliseconds. */
  purgeBatch: 200,
  /** Minimum milliseconds between two such transactions, for those of others. */
  purgePause: 10,
  /** The janitor's pause in multiples of its work: it takes at most a fifth of the writer's time. */
  purgeRestFactor: 4,
  /** Milliseconds between two rounds. What is removed is a day old and older, so it is not urgent. */
  purgeInterval: 10 * MINUTE,
} as const;
