import DataLoader from 'dataloader';
import { eventsOfSubjects } from '../../src/db/queries/feed.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';

/** The newest events about a subject before one. */
interface HistoryOfSubject {
  readonly subjectType: string;
  readonly subjectId: number;
  readonly beforeId: number;
  readonly size: number;
}

/** Events about subjects without a visibility rule, newest first. One statement for each kind, place and size asked for. */
export const historyOfSubject = declareLoader<HistoryOfSubject, readonly EventRow[], string>(
  ({ database, org }) => {
    const likeness = ({ subjectType, beforeId, size }: HistoryOfSubject) =>
      `${subjectType}:${beforeId}:${size}`;
    const load = async (group: readonly HistoryOfSubject[], like: HistoryOfSubject) => {
      const { subjectType, beforeId, size: limit } = like;
      const subjectIds = group.map(({ subjectId }) => subjectId);
      const rows = await eventsOfSubjects(database, { org, subjectType, subjectIds, beforeId, limit });
      const rowsOf = Map.groupBy(rows, (row) => row.subjectId);
      return subjectIds.map((id) => rowsOf.get(id) ?? []);
    };
    return new DataLoader((wanted) => inGroups(wanted, likeness, load), {
      cacheKeyFn: (wanted) => `${wanted.subjectId}:${likeness(wanted)}`,
    });
  },
);
