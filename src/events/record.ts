import type { Clock } from '../core/clock.ts';
import type { Transaction } from '../db/database.ts';
import { insertEvent } from '../db/queries/events.ts';
import type { EventRow } from '../db/rows.ts';
import type { EventType } from './types.ts';

export type { EventType } from './types.ts';

export interface NewEvent {
  readonly org: string;
  readonly type: EventType;
  /** Who did it; null when the server did it by itself. */
  readonly actorId: number | null;
  readonly subjectType: 'order' | 'document' | 'charge' | 'user' | 'session' | 'api_key' | 'webhook';
  readonly subjectId: number;
  /** What a reader should know without asking again, in the words of REST: snake_case, amounts as decimal numbers. */
  readonly data: EventRow['data'];
}

/**
 * Adds a line to the log, in the transaction of the change that it tells of, so that there is never the one without the other.
 * It is for what the server does by itself, and for the outcome of what was begun by a caller with the right to. What callers
 * change goes through `recordChange` of `src/auth/changes.ts`, which asks whether they still have it.
 *
 * @returns the event's id.
 */
export function record(tx: Transaction, event: NewEvent, clock: Clock): Promise<number> {
  return insertEvent(tx, { ...event, createdAt: clock() });
}
