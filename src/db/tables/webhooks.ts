/** Webhooks, their deliveries and attempts. */

import { tenantRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** Why a webhook was disabled. */
export const DISABLING_REASONS = ['by_hand', 'gone', 'failing'] as const;

/** Whether a message still has scheduled attempts, and otherwise its outcome. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

const ATTEMPT_TRIGGERS = ['schedule', 'redelivery'] as const;

export const ATTEMPT_ERRORS = [
  'target_refused',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'timeout',
  'redirect',
  'status',
  'interrupted',
  'event_gone',
] as const;

export function define(v: Vocabulary, { organisations }: Accounts) {
  const webhooks = v.table(
    'webhooks',
    {
      ...tenantRow(v, organisations),
      url: v.text('url').notNull(),
      /** Event types it receives, and patterns such as `order.*`. */
      types: v.json<readonly string[]>('types').notNull(),
      /** Encrypted (`src/core/vault.ts`) and not hashed, since each message is signed with it. Empty after the deletion. */
      secret: v.text('secret').notNull(),
      /** Also signs messages until `formerSecretUntil`, so that receivers can switch to the new secret one by one. */
      formerSecret: v.text('former_secret'),
      formerSecretUntil: v.timestamp('former_secret_until'),
      /** The app that last set the URL, with which the webhook is deleted; null if it was not an app. */
      appId: v.integer('app_id'),
      /** The last event for which deliveries were created: the webhook's position in the log. */
      lastEventId: v.integer('last_event_id').notNull(),
      /** Null while it is enabled. */
      disabledAt: v.timestamp('disabled_at'),
      disabledReason: v.text('disabled_reason', { enum: DISABLING_REASONS }),
      /** When it was last known to work: created, enabled, or accepting a message (to the minute). */
      lastGoodAt: v.timestamp('last_good_at').notNull(),
      ...versioned(v),
      /** The row is kept without its URL and secrets, so that its id still identifies its organisation. */
      deletedAt: v.timestamp('deleted_at'),
    },
    (t) => [
      ...v.tenantKey('webhooks_pkey', t),
      v.index('webhooks_by_org').on(t.org, t.id).where(sql`${t.deletedAt} is null`),
      v.check('webhooks_disabled_reason_check', sql`${t.disabledReason} in ${oneOf(DISABLING_REASONS)}`),
    ],
  );

  const webhookDeliveries = v.table(
    'webhook_deliveries',
    {
      ...tenantRow(v, organisations),
      webhookId: v.integer('webhook_id').notNull(),
      /** Not a foreign key, since events expire before their deliveries. */
      eventId: v.integer('event_id').notNull(),
      eventType: v.text('event_type').notNull(),
      /** The header `webhook-id` of every attempt. */
      messageId: v.text('message_id').notNull(),
      status: v.text('status', { enum: DELIVERY_STATUSES }).notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      /** When it was first accepted, or given up. */
      finishedAt: v.timestamp('finished_at'),
    },
    (t) => [
      ...v.tenantKey('webhook_deliveries_pkey', t),
      v.tenantReference({ columns: [t.webhookId, t.org], foreignColumns: [webhooks.id, webhooks.org] }),
      v.tenantUniqueIndex('webhook_deliveries_webhook_event', t.org).on(t.webhookId, t.eventId),
      // With the organisation, which PostgreSQL takes to be independent of the webhook: it would expect that few rows have both, and that it
      // can as well read and sort all deliveries of the webhook for one page.
      v.index('webhook_deliveries_by_webhook').on(t.org, t.webhookId, t.id),
      v.index('webhook_deliveries_by_status').on(t.org, t.webhookId, t.status, t.id),
      v.index('webhook_deliveries_by_age').on(t.createdAt, t.id),
      v.check('webhook_deliveries_status_check', sql`${t.status} in ${oneOf(DELIVERY_STATUSES)}`),
    ],
  );

  const webhookAttempts = v.table(
    'webhook_attempts',
    {
      ...tenantRow(v, organisations),
      deliveryId: v.integer('delivery_id').notNull(),
      webhookId: v.integer('webhook_id').notNull(),
      /** The number of the attempt within its delivery, from 1. */
      number: v.integer('number').notNull(),
      trigger: v.text('trigger', { enum: ATTEMPT_TRIGGERS }).notNull(),
      retriesLeft: v.integer('retries_left').notNull(),
      dueAt: v.timestamp('due_at').notNull(),
      /** When the lease of the instance that makes the attempt ends. */
      leasedUntil: v.timestamp('leased_until'),
      /** The number of leases. Only the last holder may record the outcome. */
      claims: v.integer('claims').notNull().default(0),
      startedAt: v.timestamp('started_at'),
      finishedAt: v.timestamp('finished_at'),
      durationMs: v.integer('duration_ms'),
      /** The status of the response; null without a response. */
      httpStatus: v.integer('http_status'),
      /** Null if the attempt succeeded or has not ended. */
      error: v.text('error', { enum: ATTEMPT_ERRORS }),
      /** The beginning of the response body. */
      answer: v.text('answer'),
    },
    (t) => {
      const open = sql`${t.finishedAt} is null`;
      return [
        ...v.tenantKey('webhook_attempts_pkey', t),
        v.tenantReference({
          columns: [t.deliveryId, t.org],
          foreignColumns: [webhookDeliveries.id, webhookDeliveries.org],
        }),
        v.tenantReference({ columns: [t.webhookId, t.org], foreignColumns: [webhooks.id, webhooks.org] }),
        v.tenantUniqueIndex('webhook_attempts_number', t.org).on(t.deliveryId, t.number),
        // A delivery has at most one open attempt. The index is only for that: its condition is such that no query uses it. If PostgreSQL's
        // statistics are from a time when no attempt was open, it takes any index of open attempts to be empty, and may choose this one.
        v
          .tenantUniqueIndex('webhook_attempts_open', t.org)
          .on(t.deliveryId)
          .where(sql`coalesce(${open}, true)`),
        v.index('webhook_attempts_due').on(t.webhookId, t.dueAt, t.id).where(open),
        v.check('webhook_attempts_trigger_check', sql`${t.trigger} in ${oneOf(ATTEMPT_TRIGGERS)}`),
        v.check('webhook_attempts_error_check', sql`${t.error} in ${oneOf(ATTEMPT_ERRORS)}`),
      ];
    },
  );

  return { webhooks, webhookDeliveries, webhookAttempts };
}
