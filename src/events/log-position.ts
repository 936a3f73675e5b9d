/** Positions in an organisation's log: as sealed cursors, its end, the oldest one that is kept, and whether the log still has one. */
import type { Cursors, Position } from '../core/cursors.ts';
import { ApiError } from '../core/errors.ts';
import type { Runner } from '../db/database.ts';
import { newestEvent } from '../db/queries/events.ts';
import { type EventInLog, findInLog, logStart } from '../db/queries/log-starts.ts';

/** A position in a log: after an event, which is one itself. */
export interface LogPosition {
  readonly id: number;
  /**
   * When the event was recorded, which distinguishes it from another event with its id, after the log has lost it. Undefined if
   * unknown: of deleted events, and in cursors of pages.
   */
  readonly createdAt?: Date | undefined;
}

const listOf = (org: string): Position => ['log', org];

/**
 * Cursors for positions in the log. They do not depend on filters: a filter omits lines but keeps their order, so a reader can
 * continue from a cursor with another filter.
 */
export const logPosition = {
  listOf,

  seal: (cursors: Cursors, org: string, { id, createdAt }: LogPosition): string =>
    cursors.seal(listOf(org), createdAt ? [id, createdAt.getTime()] : [id]),

  /**
   * Returns the position of a cursor.
   *
   * @param others lists with the same positions, whose cursors are also valid.
   * @throws ApiError `invalid_cursor`, also for a cursor of another organisation.
   */
  open(cursors: Cursors, org: string, cursor: string, ...others: readonly Position[]): LogPosition {
    const [id, createdAt] = cursors.open(listOf(org), cursor, ...others);
    return { id: Number(id), createdAt: createdAt === undefined ? undefined : new Date(createdAt) };
  },
};

/**
 * Returns the end of a log, where new followers begin: its newest event, or the last deleted one if that is later. Events expire by their
 * time, so it may be later than events that remain.
 */
export async function logEnd(db: Runner, org: string): Promise<LogPosition> {
  // In this order: if the newest event is deleted in between, the start is at least as late.
  const newest = await newestEvent(db, { org });
  const start = await logStart(db, org);
  return newest && newest.id >= start ? newest : { id: start };
}

/**
 * Whether a log has lost the event of a position. A log can lose its newest events, by restoring a backup or by a failover to a replica
 * that had not received them. Their ids are then left out, or given to other events, which a reader with a later position would miss.
 * Events that were deleted on purpose are not lost.
 *
 * @param db the primary: a replica may not have received the event yet.
 */
export async function isLost(db: Runner, org: string, position: LogPosition): Promise<boolean> {
  return isLostIn(await findInLog(db, org, position.id), position);
}

function isLostIn(found: EventInLog, { id, createdAt }: LogPosition): boolean {
  if (!found.createdAt) return id > found.start;
  return createdAt !== undefined && createdAt.getTime() !== found.createdAt.getTime();
}

/**
 * Checks that a reader can resume from this position: no event after it was deleted, which the reader would miss, and the log has not
 * lost its event.
 *
 * @param db the primary.
 * @throws ApiError `resume_expired`, with the oldest valid cursor, or with the end of a log that has lost the event.
 */
export async function requireInLog(
  db: Runner,
  cursors: Cursors,
  org: string,
  position: LogPosition,
): Promise<void> {
  const found = await findInLog(db, org, position.id);
  if (position.id < found.start)
    throw new ApiError('resume_expired', {
      oldestCursor: logPosition.seal(cursors, org, { id: found.start }),
    });
  if (isLostIn(found, position)) throw lostPosition(cursors, org, await logEnd(db, org));
}

/** The error for a position whose event the log has lost. @param end the end of the log. */
export const lostPosition = (cursors: Cursors, org: string, end: LogPosition): ApiError =>
  new ApiError('resume_expired', {
    message:
      'The events up to this cursor no longer exist. Reload your data, then resume from the oldest cursor or from now.',
    oldestCursor: logPosition.seal(cursors, org, end),
  });
