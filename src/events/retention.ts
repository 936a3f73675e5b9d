/** How far back a log goes. */
import type { Cursors } from '../cursors.ts';
import type { Runner } from '../db/database.ts';
import { logStart } from '../db/queries/log-starts.ts';
import { ApiError } from '../errors.ts';
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
