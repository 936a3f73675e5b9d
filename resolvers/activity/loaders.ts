import type { Way } from '../../src/db/dialect.ts';
import { eventsOfSubjects } from '../../src/db/queries/feed.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { declarePartLoader } from '../shared/loaders.ts';

/** A part of the events about a subject, newest first: the events before `fromId`, or after it when reading backwards. */
interface HistoryOfSubject {
  readonly subjectType: string;
  /** The subject. */
  readonly parentId: number;
  readonly fromId: number;
  readonly size: number;
  readonly way: Way;
}

/** Returns events, which statements read newest first, in the order of a page. */
export const inReadingOrder = (rows: readonly EventRow[], way: Way): readonly EventRow[] =>
  way === 'forwards' ? rows : rows.toReversed();

/** Events about subjects without a visibility rule. One statement per kind, position, size and direction. */
export const historyOfSubject = declarePartLoader(
  ({ subjectType, fromId, size, way }: HistoryOfSubject) => `${subjectType}:${fromId}:${size}:${way}`,
  async ({ database, org }, subjectIds, { subjectType, fromId, size: limit, way }) => {
    const rows = await eventsOfSubjects(database, { org, subjectType, subjectIds, fromId, limit }, way);
    return inReadingOrder(rows, way);
  },
  ({ subjectId }) => subjectId,
);
