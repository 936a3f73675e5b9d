import { signMessage } from '../core/signatures.ts';
import type { AttemptToMake } from '../db/queries/webhook-attempts.ts';
import type { EventRow } from '../db/rows.ts';
import type { Message } from './sender.ts';

/** Returns the signed message of an attempt. */
export function messageOf(
  { url, messageId }: AttemptToMake,
  event: EventRow,
  secrets: readonly string[],
  now: Date,
): Message {
  const body = bodyOf(event);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Portico-Webhooks/1',
    ...signMessage(secrets, messageId, now, body),
  };
  return { url, headers, body };
}

/**
 * Returns the body of a message in the format of Standard Webhooks; `data` is the same item as in the feed. It depends on the
 * event alone, which never changes, so that every attempt sends the same body.
 */
function bodyOf({ id, type, actorId, subjectType, subjectId, data, createdAt }: EventRow): string {
  const timestamp = createdAt.toISOString();
  return JSON.stringify({
    type,
    timestamp,
    data: {
      id,
      type,
      actor_id: actorId,
      subject: { type: subjectType, id: subjectId },
      data,
      created_at: timestamp,
    },
  });
}
