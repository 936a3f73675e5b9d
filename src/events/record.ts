import type { Clock } from '../core/clock.ts';
import type { Transaction } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import { insertEvent } from '../db/queries/events.ts';
import { type EventData, type EventType, subjectTypeOf } from './catalogue.ts';
import { requireFit } from './check.ts';

interface EventOf<Type extends EventType> {
  readonly org: string;
  /** The catalogue's name of what happened. It begins with the kind of its subject. */
  readonly type: Type;
  readonly subjectId: number;
  /** What a reader should know without asking again. */
  readonly data: EventData<Type>;
}

export type EventToRecord = { [Type in EventType]: EventOf<Type> }[EventType];

export function columnsOf(event: EventToRecord, clock: Clock) {
  requireFit(event.type, event.data);
  return { ...event, subjectType: subjectTypeOf(event.type), createdAt: clock() };
}

/**
 * Adds an event to the log, in the transaction of the change that it reports, so that there is never the one without the other.
 * It is for what the server does by itself, and for the outcome of what was begun by a caller with the right to. What callers
 * change goes through `recordChange` of `src/auth/changes.ts`, which asks whether they still have it.
 *
 * @param event with the person who did it; null when the server did it by itself.
 * @param origin where it comes from, when that is not the request of the transaction.
 * @returns the event's id.
 */
export function record(
  tx: Transaction,
  { actorId, ...event }: EventToRecord & { readonly actorId: number | null },
  clock: Clock,
  origin: Origin | undefined = tx.origin,
): Promise<number> {
  return insertEvent(tx, { ...columnsOf(event, clock), actorId }, origin);
}
