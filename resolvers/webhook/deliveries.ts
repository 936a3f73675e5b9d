/** Messages that callers request: redeliveries, and tests. */
import { holdRights } from '../../src/auth/changes.ts';
import { requireTypes } from '../../src/auth/event-types.ts';
import { actorIdOf } from '../../src/auth/policy.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Transaction } from '../../src/db/database.ts';
import { events } from '../../src/db/queries/events.ts';
import { attemptsAt, expediteAttempt, insertAttempts } from '../../src/db/queries/webhook-attempts.ts';
import { findDelivery, orgOfDelivery } from '../../src/db/queries/webhook-deliveries.ts';
import { type VisibleWebhook, webhooks } from '../../src/db/queries/webhooks.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';
import { recordAudit } from '../../src/events/audit.ts';
import { logPosition } from '../../src/events/log-position.ts';
import type { MutationCreateWebhookAttemptArgs } from '../../src/generated/resolvers.ts';
import { deliverEvents } from '../../src/webhooks/deliveries.ts';
import { SCHEDULE } from '../../src/webhooks/schedule.ts';
import type { ActivityNode } from '../activity/log.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, requireId, requireOwn } from '../shared/lookup.ts';
import { conflict, hold, recordEvent } from './changes.ts';

/**
 * Schedules a redelivery of a message. No event is recorded, since nothing changes in the organisation and the event would itself
 * be another message to send.
 *
 * @throws ApiError `not_found`, `forbidden`, `insufficient_scope` for an event that the caller may not read: the URL may have changed since
 *   the first attempt; `conflict` for a disabled webhook, while an attempt is in progress, and after the maximum number of attempts.
 */
export async function redeliver(
  context: Context,
  { webhookId: id, deliveryId }: MutationCreateWebhookAttemptArgs,
): Promise<WebhookAttemptRow> {
  const { id: webhookId } = await requireOwn(context, id, webhooks);
  return context.work.commit(async (tx) => {
    const webhook = await hold(tx, context, webhookId, null);
    // Locked after the row of the webhook, in the same order as where an event is recorded.
    await holdRights(tx, callerOf(context));
    const { id: delivery, eventType } = await requireDelivery(tx, webhook, deliveryId);
    requireTypes(callerOf(context), [eventType]);
    if (webhook.disabledAt) throw conflict('The webhook is disabled: enable it first.');
    const { org } = webhook;
    const now = context.clock();
    const expedited = await expediteAttempt(tx, { org, deliveryId: delivery, now });
    const attempt = expedited ?? (await addAttempt(tx, webhook, delivery, now));
    const actorId = actorIdOf(callerOf(context));
    const data = { delivery_id: delivery };
    const entry = { org, type: 'webhook.redelivered', actorId, subjectId: webhookId, data } as const;
    await recordAudit(tx, entry, context.clock);
    return attempt;
  });
}

/** Adds an attempt at a delivery of which none is scheduled. @throws ApiError `conflict`. */
async function addAttempt(
  tx: Transaction,
  { org, id: webhookId }: VisibleWebhook,
  deliveryId: number,
  now: Date,
): Promise<WebhookAttemptRow> {
  const attempts = await attemptsAt(tx, { org, deliveryIds: [deliveryId] });
  if (attempts.some(({ finishedAt }) => finishedAt === null)) throw conflict('An attempt is in progress.');
  if (attempts.length >= LIMITS.webhookAttempts) {
    throw conflict(`This delivery has had the maximum of ${LIMITS.webhookAttempts} attempts.`);
  }
  const number = attempts.length + 1;
  const next = { number, trigger: 'redelivery', retriesLeft: 0, dueAt: now } as const;
  const [row] = await insertAttempts(tx, [{ org, deliveryId, webhookId, ...next }]);
  if (!row) throw new Error('The insert of an attempt returned no row.');
  return row;
}

/**
 * Sends a test event to one webhook. It is delivered like any other event, so that the receiver is tested under real conditions.
 *
 * @throws ApiError `not_found`, `forbidden`, `conflict` for a disabled webhook.
 */
export async function testWebhook(context: Context, id: string | number): Promise<ActivityNode> {
  const { id: webhookId } = await requireOwn(context, id, webhooks);
  return context.work.commit(async (tx) => {
    const webhook = await hold(tx, context, webhookId, null);
    if (webhook.disabledAt) throw conflict('The webhook is disabled: enable it first.');
    const eventId = await recordEvent(tx, context, 'webhook.tested', webhook);
    const row = await events.find(tx, webhook.org, eventId);
    if (!row) throw new Error('A recorded event was not found.');
    // The dispatcher skips it. It is created here, so that the response can name it.
    await deliverEvents(tx, webhook, [row], SCHEDULE.length, context.clock());
    return { ...row, cursor: logPosition.seal(context.cursors, row.org, row) };
  });
}

async function requireDelivery(
  tx: Transaction,
  webhook: VisibleWebhook,
  deliveryId: string | number,
): Promise<WebhookDeliveryRow> {
  const id = requireId(deliveryId);
  const delivery = await findDelivery(tx, { org: webhook.org, webhookId: webhook.id, id });
  if (delivery) return delivery;
  throw await absence(tx, webhook.org, id, { orgOf: orgOfDelivery });
}
