/** How far back a log goes. */
import type { Clock } from '../clock.ts';
import type { Cursors } from '../cursors.ts';
import type { Database, Runner } from '../db/database.ts';
import { logStart, purgeEventsBefore } from '../db/queries/log-starts.ts';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { logPosition } from './position.ts';

/**
 * @throws ApiError `resume_expired`, with the oldest cursor there is, when events after this one are not kept any more:
 *   whoever goes on from it would miss some.
 */
export async function requireKept(db: Runner, cursors: Cursors, org: string, afterId: number): Promise<void> {
  const start = await logStart(db, org);
  if (afterId >= start) return;
  throw new ApiError('resume_expired', { oldestCursor: logPosition.seal(cursors, { org, id: start }) });
}

/**
 * Deletes some of the events that were recorded before a moment, the oldest first.
 *
 * @param limit how many are looked at, and so deleted at most, in this one transaction.
 * @returns how many were deleted: fewer than `limit` when there are no more.
 */
export function purgeEvents(database: Database, before: Date, limit: number): Promise<number> {
  return database.transaction((tx) => purgeEventsBefore(tx, before, limit));
}

/** Deletes what is older than `days`, in steps that writers hardly notice. */
export async function purgeExpiredEvents(database: Database, clock: Clock, days: number): Promise<number> {
  const before = new Date(clock().getTime() - days * DAY);
  let purged = 0;
  for (;;) {
    const step = await purgeEvents(database, before, LIMITS.purgeBatch);
    purged += step;
    if (step < LIMITS.purgeBatch) return purged;
  }
}

const DAY = 24 * 60 * 60 * 1000;
