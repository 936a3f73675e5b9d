/** Retention of the log. */
import type { Cursors } from '../core/cursors.ts';
import { ApiError } from '../core/errors.ts';
import type { Runner } from '../db/database.ts';
import { newestEventId } from '../db/queries/events.ts';
import { logStart } from '../db/queries/log-starts.ts';
import { logPosition } from './log-position.ts';

/** Returns the end of a log, where new followers begin: its newest event, or the last deleted one if all were deleted. */
export async function logEnd(db: Runner, org: string): Promise<number> {
  const newest = await newestEventId(db, org);
  return newest > 0 ? newest : logStart(db, org);
}

/**
 * Checks that no event after this one was deleted, since a reader that resumes from it would miss that event.
 *
 * @throws ApiError `resume_expired`, with the oldest valid cursor.
 */
export async function requireKept(db: Runner, cursors: Cursors, org: string, afterId: number): Promise<void> {
  const start = await logStart(db, org);
  if (afterId >= start) return;
  throw new ApiError('resume_expired', { oldestCursor: logPosition.seal(cursors, { org, id: start }) });
}
