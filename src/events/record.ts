import type { Clock } from '../core/clock.ts';
import type { Transaction } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import { insertEvent } from '../db/queries/events.ts';
import { type EventData, type EventType, subjectTypeOf } from './catalogue.ts';
import { requireDeclaredData } from './check.ts';

interface EventOf<Type extends EventType> {
  readonly org: string;
  /** The type in the catalogue. It begins with the kind of the subject. */
  readonly type: Type;
  readonly subjectId: number;
  /** The data that readers should have without another request. */
  readonly data: EventData<Type>;
}

export type EventToRecord = { [Type in EventType]: EventOf<Type> }[EventType];

export function columnsOf(event: EventToRecord, clock: Clock) {
  requireDeclaredData(event.type, event.data);
  return { ...event, subjectType: subjectTypeOf(event.type), createdAt: clock() };
}

/**
 * Adds an event to the log, in the transaction of the change that it reports, so that neither exists without the other. Used for
 * changes that the server makes on its own, and for the outcome of operations whose caller was checked when they began. Changes
 * by callers use `recordChange` of `src/auth/changes.ts`, which checks that they still have their rights.
 *
 * @param event with the person who made the change; null if the server made it on its own.
 * @param origin the origin of the change, if it is not the request of the transaction.
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
