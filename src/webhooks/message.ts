import type { EventRow } from '../db/rows.ts';

/**
 * The body of a message, as Standard Webhooks has it; `data` is the item that the feed shows. It is made of the event alone,
 * which never changes, so that every attempt sends the same.
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
