/** Reads the log for webhooks, and creates a delivery with a first attempt for each event that a webhook subscribes to. */
import { randomBytes } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import { eventsAfter } from '../db/queries/events.ts';
import { insertAttempts } from '../db/queries/webhook-attempts.ts';
import { advanceWebhook, type BehindWebhook, insertDeliveries } from '../db/queries/webhook-deliveries.ts';
import type { EventRow } from '../db/rows.ts';
import { type EventType, matchesPattern } from '../events/catalogue.ts';

/** An event of this type is delivered only to its subject, the webhook under test. */
const TEST: EventType = 'webhook.tested';

/** Random bytes in a message id: as unique as a UUID, also after a backup is restored. */
const MESSAGE_ID_BYTES = 16;

/**
 * Advances one webhook by a batch of events. Its position in the log and the deliveries are written in one transaction, so
 * each event gets exactly one delivery, even if other instances do the same or the process dies.
 *
 * @param attempts maximum number of attempts per message.
 */
export async function makeDeliveries(
  database: Database,
  webhook: BehindWebhook,
  attempts: number,
  now: Date,
): Promise<void> {
  const { org, lastEventId: fromId } = webhook;
  // Webhooks are registered by administrators, and receive everything that administrators may see.
  const events = await eventsAfter(database, { org, fromId, limit: LIMITS.webhookBatch });
  const last = events.at(-1);
  if (!last) return;
  await database.transaction(async (tx) => {
    const types = await advanceWebhook(tx, webhook, last.id);
    const wanted = events.filter(({ type, subjectId }) =>
      type === TEST ? types && subjectId === webhook.id : types && matchesPattern(types, type),
    );
    if (wanted.length > 0) await deliverEvents(tx, webhook, wanted, attempts, now);
  });
}

/**
 * Creates a delivery of each of these events to a webhook, with a first attempt, which is due now. Events that have a delivery to the
 * webhook keep it.
 *
 * @param attempts maximum number of attempts per message.
 */
export async function deliverEvents(
  tx: Transaction,
  webhook: Pick<BehindWebhook, 'id' | 'org'>,
  events: readonly Pick<EventRow, 'id' | 'type'>[],
  attempts: number,
  now: Date,
): Promise<void> {
  const deliveries = events.map(({ id, type }) => ({
    eventId: id,
    eventType: type,
    messageId: `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`,
  }));
  const ids = await insertDeliveries(tx, webhook, deliveries, now);
  if (ids.length === 0) return;
  const first = { number: 1, trigger: 'schedule', retriesLeft: attempts - 1, dueAt: now } as const;
  await insertAttempts(
    tx,
    ids.map((deliveryId) => ({ org: webhook.org, deliveryId, webhookId: webhook.id, ...first })),
  );
}
