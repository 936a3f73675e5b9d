import { readerOf } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Way } from '../../src/db/dialect.ts';
import {
  fewDocumentsOfAuthors,
  findBodies,
  findDeletedIds,
  historyOfDocuments,
} from '../../src/db/queries/document-lists.ts';
import type { ListPart } from '../../src/db/queries/shared/looking.ts';
import { sharesOfDocuments } from '../../src/db/queries/shares.ts';
import type { EventRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';
import { inReadingOrder } from '../activity/log.ts';
import { declareIdLoader, declarePartLoader } from '../shared/loaders.ts';
import { writerOf } from './access.ts';

/** The first or last documents of a person, by time of creation. */
interface DocumentsOfAuthor {
  /** The person. */
  readonly parentId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** A part of the events about a document, newest first: the events before `fromId`, or after it when reading backwards. */
interface HistoryOfDocument extends ListPart {
  /** The document. */
  readonly parentId: number;
  readonly way: Way;
}

/** Those that the caller may read. One statement per end and size. */
export const documentsOfAuthor = declarePartLoader(
  ({ end, size }: DocumentsOfAuthor) => `${end}:${size}`,
  async ({ database, caller }, authorIds, { end, size }): Promise<readonly ListedDocument[]> => {
    const rows = await fewDocumentsOfAuthors(database, { ...readerOf(caller), authorIds, size }, end);
    return end === 'first' ? rows : rows.toReversed();
  },
  ({ authorId }) => authorId,
);

/** The texts of documents. Load only documents that the caller is known to be allowed to read. */
export const bodyOfDocument = declareIdLoader<string>(
  async ({ database, caller }, ids) => {
    const found = await findBodies(database, { org: caller.org, ids });
    const bodies = new Map(found.map(({ id, body }) => [id, body]));
    return (id) => bodies.get(id) ?? new ApiError('not_found');
  },
  { maxBatchSize: LIMITS.bodiesReadAtOnce },
);

/** The shares of a document, in order; undefined if the caller may not change the document. */
export const sharesOfDocument = declareIdLoader<readonly ShareRow[] | undefined>(
  async ({ database, caller }, ids) => {
    const shares = await sharesOfDocuments(database, writerOf(caller), ids);
    return (id) => shares.get(id);
  },
);

/** Whether a document was deleted. */
export const isDeletedDocument = declareIdLoader(async ({ database, caller }, ids) => {
  const deleted = await findDeletedIds(database, { org: caller.org, ids });
  const deletedIds = new Set(deleted.map(({ id }) => id));
  return (id) => deletedIds.has(id);
});

/** Those that the caller may see. One statement per position, size and direction. */
export const historyOfDocument = declarePartLoader(
  ({ fromId, limit, way }: HistoryOfDocument) => `${fromId}:${limit}:${way}`,
  async ({ database, caller }, documentIds, { fromId, limit, way }): Promise<readonly EventRow[]> => {
    const params = { ...readerOf(caller), documentIds, fromId, limit };
    const rows = await historyOfDocuments(database, params, way);
    return inReadingOrder(rows, way);
  },
  ({ subjectId }) => subjectId,
);
