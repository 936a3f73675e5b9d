import DataLoader from 'dataloader';
import type { Way } from '../../src/db/list-statement.ts';
import { eventsOfSubjects } from '../../src/db/queries/feed.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';

/** A part of the events about a subject, newest first: the events before `fromId`, or after it when reading backwards. */
interface HistoryOfSubject {
  readonly subjectType: string;
  readonly subjectId: number;
  readonly fromId: number;
  readonly size: number;
  readonly way: Way;
}

/** Groups events, newest first, by subject. Returns each group in reading order, one per id of `subjectIds`. */
export function eventsOfEach(
  subjectIds: readonly number[],
  rows: readonly EventRow[],
  way: Way,
): (readonly EventRow[])[] {
  const rowsOf = Map.groupBy(rows, (row) => row.subjectId);
  return subjectIds.map((id) => {
    const found = rowsOf.get(id) ?? [];
    return way === 'forwards' ? found : found.toReversed();
  });
}

/** Events about subjects without a visibility rule, newest first. One statement per kind, position, size and direction. */
export const historyOfSubject = declareLoader<HistoryOfSubject, readonly EventRow[], string>(
  ({ database, org }) => {
    const groupKeyOf = ({ subjectType, fromId, size, way }: HistoryOfSubject) =>
      `${subjectType}:${fromId}:${size}:${way}`;
    const load = async (group: readonly HistoryOfSubject[], like: HistoryOfSubject) => {
      const { subjectType, fromId, size: limit, way } = like;
      const subjectIds = group.map(({ subjectId }) => subjectId);
      const rows = await eventsOfSubjects(database, { org, subjectType, subjectIds, fromId, limit }, way);
      return eventsOfEach(subjectIds, rows, way);
    };
    return new DataLoader((wanted) => inGroups(wanted, groupKeyOf, load), {
      cacheKeyFn: (wanted) => `${wanted.subjectId}:${groupKeyOf(wanted)}`,
    });
  },
);
