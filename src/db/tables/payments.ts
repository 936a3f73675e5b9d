/** Charges and refunds, and the idempotency records that prevent charging twice. */

import { LIMITS } from '../../core/limits.ts';
import { reference, tenantRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { literal, oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';
import type { Orders } from './orders.ts';

/** The outcome of a `pending` charge is not known yet: the gateway was not called yet, or has not reported an outcome. */
export const CHARGE_STATUSES = ['pending', 'succeeded', 'failed', 'refunded'] as const;

const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;

const RECORD_STATUSES = ['new', 'done'] as const;

export function define(v: Vocabulary, { organisations, users, orders }: Accounts & Orders) {
  const charges = v.table(
    'charges',
    {
      ...tenantRow(v, organisations),
      userId: reference(v, 'user_id', users),
      orderId: v.integer('order_id'),
      amount: v.integer('amount').notNull(),
      currency: v.text('currency').notNull(),
      /** Masked, since only the gateway keeps payment details. */
      source: v.text('source').notNull(),
      status: v.text('status', { enum: CHARGE_STATUSES }).notNull(),
      /** The gateway's code for why a charge failed, such as `insufficient_funds`. */
      failureCode: v.text('failure_code'),
      /** Our identifier of the charge at the gateway, which is also the idempotency key of calls to it. */
      reference: v.text('reference').notNull(),
      /** The gateway's identifier of the payment; null until it is known. */
      paymentId: v.text('payment_id'),
      /** Minor units that were refunded. */
      amountRefunded: v.integer('amount_refunded').notNull().default(0),
      /** Minor units of all refunds that were begun and have not failed, whether finished or pending. */
      amountReserved: v.integer('amount_reserved').notNull().default(0),
      /** When to query the gateway for the outcome of the charge; null if nothing is open. */
      checkAt: v.timestamp('check_at'),
      ...versioned(v),
    },
    (t) => [
      ...v.tenantKey('charges_pkey', t),
      v.tenantReference({ columns: [t.orderId, t.org], foreignColumns: [orders.id, orders.org] }),
      v.tenantUniqueIndex('charges_reference_unique', t.org).on(t.reference),
      v.index('charges_open').on(t.checkAt).where(sql`${t.status} = 'pending' or ${t.checkAt} is not null`),
      v.index('charges_by_payment').on(t.paymentId).where(sql`${t.paymentId} is not null`),
      v.index('charges_by_org').on(t.org, t.id),
      v.index('charges_by_order').on(t.orderId, t.id).where(sql`${t.orderId} is not null`),
      v
        .index('charges_by_order_and_amount')
        .on(t.orderId, t.status, t.currency, t.amount, t.org)
        .where(sql`${t.orderId} is not null`),
      v.check('charges_amount_check', sql`${t.amount} between 1 and ${literal(LIMITS.chargeAmount)}`),
      v.check(
        'charges_refunded_check',
        sql`${t.amountRefunded} between 0 and ${t.amountReserved} and ${t.amountReserved} <= ${t.amount}`,
      ),
      v.check('charges_currency_check', sql`length(${t.currency}) = 3`),
      v.check('charges_status_check', sql`${t.status} in ${oneOf(CHARGE_STATUSES)}`),
    ],
  );

  /** Refunds of charges, finished and pending. */
  const refunds = v.table(
    'refunds',
    {
      ...tenantRow(v, organisations),
      chargeId: v.integer('charge_id').notNull(),
      /** The user who requested the refund. */
      userId: reference(v, 'user_id', users),
      amount: v.integer('amount').notNull(),
      currency: v.text('currency').notNull(),
      status: v.text('status', { enum: REFUND_STATUSES }).notNull(),
      /** The idempotency key of calls to the gateway. */
      reference: v.text('reference').notNull(),
      /** When to query the gateway for the outcome; null once it is known. */
      checkAt: v.timestamp('check_at'),
      createdAt: v.timestamp('created_at').notNull(),
      updatedAt: v.timestamp('updated_at').notNull(),
    },
    (t) => [
      ...v.tenantKey('refunds_pkey', t),
      v.tenantReference({ columns: [t.chargeId, t.org], foreignColumns: [charges.id, charges.org] }),
      v.tenantUniqueIndex('refunds_reference_unique', t.org).on(t.reference),
      v.index('refunds_by_charge').on(t.chargeId, t.id),
      v.index('refunds_open').on(t.checkAt).where(sql`${t.status} = 'pending'`),
      v.check('refunds_amount_check', sql`${t.amount} between 1 and ${literal(LIMITS.chargeAmount)}`),
      v.check('refunds_status_check', sql`${t.status} in ${oneOf(REFUND_STATUSES)}`),
    ],
  );

  const idempotencyRecords = v.table(
    'idempotency_records',
    {
      ...tenantRow(v, organisations),
      /** The owner of the key: `user:1`. */
      principal: v.text('principal').notNull(),
      mutation: v.text('mutation').notNull(),
      key: v.text('key').notNull(),
      /** A keyed hash of the arguments, which detects a different request without revealing this one. */
      fingerprint: v.text('fingerprint').notNull(),
      status: v.text('status', { enum: RECORD_STATUSES }).notNull(),
      /** The number of attempts. Only the last one may write the outcome. */
      attempt: v.integer('attempt').notNull().default(1),
      /** When the lease of the last attempt ends. */
      lockedUntil: v.timestamp('locked_until').notNull(),
      /** The row that the mutation has begun, for an attempt that continues it. */
      subjectId: v.integer('subject_id'),
      /** The result of the mutation, or the error that it ended with. Encrypted if it contains credentials. */
      outcome: v.text('outcome'),
      createdAt: v.timestamp('created_at').notNull(),
    },
    (t) => [
      ...v.tenantKey('idempotency_records_pkey', t),
      v.uniqueIndex('idempotency_records_unique').on(t.org, t.principal, t.mutation, t.key),
      v.index('idempotency_records_by_subject').on(t.org, t.subjectId).where(sql`${t.subjectId} is not null`),
      v.index('idempotency_records_by_age').on(t.status, t.lockedUntil),
      v.check('idempotency_records_status_check', sql`${t.status} in ${oneOf(RECORD_STATUSES)}`),
    ],
  );

  /** Messages of the payment provider that have been applied. */
  const paymentEvents = v.table(
    'payment_events',
    {
      id: v.id(),
      messageId: v.text('message_id').notNull().unique('payment_events_message_unique'),
      receivedAt: v.timestamp('received_at').notNull(),
    },
    (t) => [v.index('payment_events_by_age').on(t.receivedAt)],
  );

  /** The ledger of the sandbox gateway, which simulates an external company: no other table references it. */
  const sandboxPayments = v.table('sandbox_payments', {
    id: v.id(),
    key: v.text('key').notNull().unique('sandbox_payments_key_unique'),
    /** The content of the request, to detect a different one with the same key. */
    request: v.text('request').notNull(),
    paymentId: v.text('payment_id').notNull(),
    /** Minor units that were transferred: negative for a refund, 0 if the source was declined. */
    moved: v.integer('moved').notNull(),
    currency: v.text('currency').notNull(),
    declined: v.text('declined'),
    createdAt: v.timestamp('created_at').notNull(),
  });

  return { charges, refunds, idempotencyRecords, paymentEvents, sandboxPayments };
}
