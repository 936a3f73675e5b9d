/** Reads the log on behalf of webhooks, and turns what each asks for into deliveries with a first attempt that is due. */
import { randomBytes } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { insertAttempts } from '../db/queries/webhook-attempts.ts';
import {
  advanceWebhook,
  type BehindWebhook,
  eventsForWebhook,
  insertDeliveries,
} from '../db/queries/webhook-deliveries.ts';
import type { EventType } from '../events/catalogue.ts';
import { isWanted } from './types.ts';

/** An event of this type is for its subject alone, which is the webhook that it tests. */
const TEST: EventType = 'webhook.tested';

/** Bytes of a message's id: unique as a UUID, also after restoring a backup. */
const MESSAGE_ID_BYTES = 16;

/**
 * Moves one webhook on by a batch of events. The place in the log and the deliveries are written together, so that each event
 * is delivered once, whatever other instances do and whenever the process ends.
 *
 * @param attempts how many are made at a message at most.
 */
export async function makeDeliveries(
  database: Database,
  webhook: BehindWebhook,
  attempts: number,
  now: Date,
): Promise<void> {
  const events = await eventsForWebhook(database, webhook, LIMITS.webhookBatch);
  const last = events.at(-1);
  if (!last) return;
  await database.transaction(async (tx) => {
    const types = await advanceWebhook(tx, webhook, last.id);
    const wanted = events.filter(({ type, subjectId }) =>
      type === TEST ? types && subjectId === webhook.id : types && isWanted(types, type),
    );
    if (wanted.length === 0) return;
    const deliveries = wanted.map(({ id, type }) => ({
      eventId: id,
      eventType: type,
      messageId: `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`,
    }));
    const ids = await insertDeliveries(tx, webhook, deliveries, now);
    const first = { number: 1, trigger: 'schedule', retriesLeft: attempts - 1, dueAt: now } as const;
    await insertAttempts(
      tx,
      ids.map((deliveryId) => ({ org: webhook.org, deliveryId, webhookId: webhook.id, ...first })),
    );
  });
}
