import type { VisibleWebhook } from '../../src/db/queries/webhooks.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';

export type WebhookNode = VisibleWebhook;

export type WebhookDeliveryNode = WebhookDeliveryRow;

export type WebhookAttemptNode = WebhookAttemptRow;
