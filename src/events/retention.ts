/** Retention of the log. */
import type { Cursors } from '../core/cursors.ts';
import { ApiError } from '../core/errors.ts';
import type { Runner } from '../db/database.ts';
import { newestEventId } from '../db/queries/events.ts';
import { logStart } from '../db/queries/log-starts.ts';
import { logPosition } from './position.ts';

/** Where a log ends, and who follows it from now on begins: at its newest event, or where the deleted ones ended. */
export async function logEnd(db: Runner, org: string): Promise<number> {
  const newest = await newestEventId(db, org);
  return newest > 0 ? newest : logStart(db, org);
}

/**
 * @throws ApiError `resume_expired`, with the oldest cursor there is, when events after this one are not kept any more:
 *   a reader that resumes from it would miss some.
 */
export async function requireKept(db: Runner, cursors: Cursors, org: string, afterId: number): Promise<void> {
  const start = await logStart(db, org);
  if (afterId >= start) return;
  throw new ApiError('resume_expired', { oldestCursor: logPosition.seal(cursors, { org, id: start }) });
}
