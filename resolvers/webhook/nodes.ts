import type { VisibleWebhook } from '../../src/db/queries/webhooks.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';

export type WebhookNode = VisibleWebhook;

/** A delivery. Its attempts are there already when the operation was seen to select them. */
export type WebhookDeliveryNode = WebhookDeliveryRow & {
  readonly attemptRows?: readonly WebhookAttemptRow[];
};

export type WebhookAttemptNode = WebhookAttemptRow;
