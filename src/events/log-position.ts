/** Positions in an organisation's log: as sealed cursors, its end, and the oldest one that is kept. */
import type { Cursors, Position } from '../core/cursors.ts';
import { ApiError } from '../core/errors.ts';
import type { Runner } from '../db/database.ts';
import { newestEventId } from '../db/queries/events.ts';
import { logStart } from '../db/queries/log-starts.ts';
import type { EventRow } from '../db/rows.ts';

const listOf = (org: string): Position => ['log', org];

/**
 * Cursors for positions in the log. They do not depend on filters: a filter omits lines but keeps their order, so a reader can
 * continue from a cursor with another filter.
 */
export const logPosition = {
  listOf,

  seal: (cursors: Cursors, { org, id }: Pick<EventRow, 'org' | 'id'>): string =>
    cursors.seal(listOf(org), [id]),

  /**
   * Returns the id of a cursor's line.
   *
   * @param others lists with the same positions, whose cursors are also valid.
   * @throws ApiError `invalid_cursor`, also for a cursor of another organisation.
   */
  open: (cursors: Cursors, org: string, cursor: string, ...others: readonly Position[]): number =>
    Number(cursors.open(listOf(org), cursor, ...others)[0]),
};

/**
 * Returns the end of a log, where new followers begin: its newest event, or the last deleted one if that is later. Events expire by their
 * time, so it may be later than events that remain.
 */
export async function logEnd(db: Runner, org: string): Promise<number> {
  // In this order: if the newest event is deleted in between, the start is at least as late.
  const newest = await newestEventId(db, org);
  return Math.max(newest, await logStart(db, org));
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

/**
 * Checks that a reader can resume from this event: none after it was deleted, and the log reaches it. A log can lose its newest events,
 * by restoring a backup or by a failover to a replica that had not received them. Their ids are then given to other events, which a
 * reader with a later cursor would miss.
 *
 * @param db the primary: a replica may not have received the event yet.
 * @throws ApiError `resume_expired`, with the oldest valid cursor, or with the end of a log that does not reach the event.
 */
export async function requireInLog(
  db: Runner,
  cursors: Cursors,
  org: string,
  afterId: number,
): Promise<void> {
  await requireKept(db, cursors, org, afterId);
  const end = await logEnd(db, org);
  if (afterId > end) throw beyondEnd(cursors, { org, id: end });
}

/** The error for a cursor that the log does not reach. @param end the end of the log. */
export const beyondEnd = (cursors: Cursors, end: Pick<EventRow, 'org' | 'id'>): ApiError =>
  new ApiError('resume_expired', {
    message:
      'The events up to this cursor no longer exist. Reload your data, then resume from the oldest cursor or from now.',
    oldestCursor: logPosition.seal(cursors, end),
  });
