/** Charges, the payment gateway, and idempotency keys. */
import { DAY, MINUTE, SECOND } from './units.ts';

export const PAYMENTS = {
  /**
   * Maximum minor units of one charge: nine digits, which fit GraphQL's Int. Gateways have lower limits of their own, by currency
   * and account.
   */
  chargeAmount: 999_999_999,
  /** Maximum charges of an order that are summed to check whether it is paid, largest first. Few orders are paid in two parts. */
  chargesAddedUp: 100,
  /** Milliseconds in which the payment gateway must respond: above a slow bank. */
  gatewayTimeout: 8 * SECOND,
  /** The maximum part of an operation's deadline for waiting for the gateway, so that the deadline holds for charges as well. */
  gatewayPart: 0.8,
  /** Milliseconds for one request to Stripe: a first attempt ends before the client gets 503, with the default deadline. */
  stripeTimeout: 7 * SECOND,
  /**
   * Milliseconds after which the outcome of a charge or refund that is still open is queried at the gateway: by then the request
   * that began it has ended, and its lease has expired.
   */
  reconcileAfter: 30 * SECOND,
  /** Maximum milliseconds between two checks of one charge. The pauses double. */
  reconcilePause: 60 * MINUTE,
  /** Milliseconds between two polls for open charges, which read one small index. */
  reconcileInterval: 5 * SECOND,
  /** Charges that are read in one poll. */
  reconcileBatch: 100,
  /** Concurrent queries to the gateway, in one process: a backlog after an outage must not cause the next outage. */
  reconcileConcurrency: 8,
  /** Maximum characters of an idempotency key: what Stripe accepts, and four times a UUID with a prefix. */
  idempotencyKeyLength: 255,
  /**
   * Milliseconds of a request's lease on its idempotency key. Longer than the gateway may take, so that a request that still
   * runs is not taken over. Short, since the client of a server that died waits for it.
   */
  idempotencyLease: 20 * SECOND,
  /** Milliseconds that the outcome of a request is kept under its key: a day, like Stripe. */
  idempotencyLifetime: 1 * DAY,
  /**
   * Milliseconds that the key of a request without an outcome is kept, counted from the last attempt: without it a retry would
   * move the money again. Within a month the payment provider has reported, or an operator has checked its records.
   */
  unfinishedRecordLifetime: 30 * DAY,
  /** Milliseconds that the id of a payment event is kept. Providers stop resending it after a few days. */
  paymentEventLifetime: 7 * DAY,
  /** Rows deleted in one transaction: even on a slow disk it takes only milliseconds. */
  purgeBatch: 200,
  /** Minimum milliseconds between two such transactions, so that others can run. */
  purgePause: 10,
  /** The janitor's pause in multiples of its work: it takes at most a fifth of the writer's time. */
  purgeRestFactor: 4,
  /**
   * Milliseconds between two runs of the janitor: as long as the shortest records of the authorization server last, so that the
   * database never has more than two minutes of them.
   */
  purgeInterval: 1 * MINUTE,
} as const;
