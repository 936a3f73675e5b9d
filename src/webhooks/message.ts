import type { EventRow } from '../db/rows.ts';

/**
 * Returns the body of a message in the format of Standard Webhooks; `data` is the same item as in the feed. It depends on the
 * event alone, which never changes, so that every attempt sends the same body.
 */
export function bodyOf({ id, type, actorId, subjectType, subjectId, data, createdAt }: EventRow): string {
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
