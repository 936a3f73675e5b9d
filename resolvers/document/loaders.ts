import DataLoader from 'dataloader';
import { readerOf } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Way } from '../../src/db/list-statement.ts';
import { historyOfDocuments } from '../../src/db/queries/document-history.ts';
import { fewDocumentsOfAuthors, findBodies } from '../../src/db/queries/document-lists.ts';
import { sharesOfDocuments } from '../../src/db/queries/shares.ts';
import type { EventRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';
import { eventsOfEach } from '../activity/loaders.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';
import { writerOf } from './access.ts';

/** The first or last documents of a person, by time of creation. */
interface DocumentsOfAuthor {
  readonly userId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** A part of the events about a document, newest first: the events before `fromId`, or after it when reading backwards. */
interface HistoryOfDocument {
  readonly documentId: number;
  readonly fromId: number;
  readonly size: number;
  readonly way: Way;
}

/** The first or last documents of a person that the caller may read. One statement per end and size. */
export const documentsOfAuthor = declareLoader<DocumentsOfAuthor, readonly ListedDocument[], string>(
  ({ database, caller }) => {
    const load = async (group: readonly DocumentsOfAuthor[], { end, size }: DocumentsOfAuthor) => {
      const authorIds = group.map(({ userId }) => userId);
      const which = end === 'first' ? 'oldest' : 'newest';
      const rows = await fewDocumentsOfAuthors(database, readerOf(caller), authorIds, which, size);
      const rowsOf = Map.groupBy(rows, (row) => row.authorId);
      return authorIds.map((id) => {
        const found = rowsOf.get(id) ?? [];
        return end === 'first' ? found : found.toReversed();
      });
    };
    return new DataLoader((wanted) => inGroups(wanted, ({ end, size }) => `${end}:${size}`, load), {
      cacheKeyFn: ({ userId, end, size }) => `${userId}:${end}:${size}`,
    });
  },
);

/** The texts of documents. Load only documents that the caller is known to be allowed to read. */
export const bodyOfDocument = declareLoader<number, string>(
  ({ database, caller }) =>
    new DataLoader<number, string>(
      async (ids) => {
        const found = new Map(
          (await findBodies(database, caller.org, ids)).map(({ id, body }) => [id, body]),
        );
        return ids.map((id) => found.get(id) ?? new ApiError('not_found'));
      },
      { maxBatchSize: LIMITS.bodiesReadAtOnce },
    ),
);

/** The shares of a document, in order; undefined if the caller may not change the document. */
export const sharesOfDocument = declareLoader<number, readonly ShareRow[] | undefined>(
  ({ database, caller }) =>
    new DataLoader(async (ids) => {
      const sharesOf = await sharesOfDocuments(database, writerOf(caller), ids);
      return ids.map((id) => sharesOf.get(id));
    }),
);

/** The events about a document that the caller may see, newest first. One statement per position, size and direction. */
export const historyOfDocument = declareLoader<HistoryOfDocument, readonly EventRow[], string>(
  ({ database, caller }) => {
    const groupKeyOf = ({ fromId, size, way }: HistoryOfDocument) => `${fromId}:${size}:${way}`;
    const load = async (group: readonly HistoryOfDocument[], { fromId, size, way }: HistoryOfDocument) => {
      const ids = group.map(({ documentId }) => documentId);
      return eventsOfEach(
        ids,
        await historyOfDocuments(database, readerOf(caller), ids, fromId, size, way),
        way,
      );
    };
    return new DataLoader((wanted) => inGroups(wanted, groupKeyOf, load), {
      cacheKeyFn: (wanted) => `${wanted.documentId}:${groupKeyOf(wanted)}`,
    });
  },
);
