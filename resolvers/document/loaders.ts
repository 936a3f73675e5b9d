import DataLoader from 'dataloader';
import type { Principal } from '../../src/auth/policy.ts';
import { readerOf, writerOf } from '../../src/auth/readers.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Database } from '../../src/db/database.ts';
import { fewDocumentsOfAuthors, findBodies } from '../../src/db/queries/document-lists.ts';
import { newestEventsOfDocuments } from '../../src/db/queries/events.ts';
import { sharesOfDocuments } from '../../src/db/queries/shares.ts';
import type { EventRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';

/** Some documents of a person from one end of their list, which is in order of creation. */
interface DocumentsOfAuthor {
  readonly userId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** The newest events of a document before one. */
interface HistoryOfDocument {
  readonly documentId: number;
  readonly beforeId: number;
  readonly size: number;
}

/** What belongs to documents, and documents that belong to people, each kind fetched with one statement for many. */
export class DocumentLoaders {
  readonly #database: Database;
  readonly #principal: Principal;
  #ofAuthor: DataLoader<DocumentsOfAuthor, readonly ListedDocument[], string> | undefined;
  #body: DataLoader<number, string> | undefined;
  #shares: DataLoader<number, readonly ShareRow[] | undefined> | undefined;
  #history: DataLoader<HistoryOfDocument, readonly EventRow[], string> | undefined;

  constructor(database: Database, principal: Principal) {
    this.#database = database;
    this.#principal = principal;
  }

  /** What people wrote and the caller may read, from either end. One statement for each end and size asked for. */
  get ofAuthor(): DataLoader<DocumentsOfAuthor, readonly ListedDocument[], string> {
    this.#ofAuthor ??= new DataLoader(
      (wanted) =>
        inGroups(
          wanted,
          ({ end, size }) => `${end}:${size}`,
          (group, like) => this.#documents(group, like),
        ),
      { cacheKeyFn: ({ userId, end, size }) => `${userId}:${end}:${size}` },
    );
    return this.#ofAuthor;
  }

  /** The texts of documents that the caller was found to be allowed to read. */
  get body(): DataLoader<number, string> {
    this.#body ??= new DataLoader<number, string>(
      async (ids) => {
        const found = new Map(
          (await findBodies(this.#database, this.#principal.org, ids)).map(({ id, body }) => [id, body]),
        );
        return ids.map((id) => found.get(id) ?? new ApiError('not_found'));
      },
      { maxBatchSize: LIMITS.bodiesReadAtOnce },
    );
    return this.#body;
  }

  /** The shares of a document in their order; undefined where the caller may not change the document. */
  get shares(): DataLoader<number, readonly ShareRow[] | undefined> {
    this.#shares ??= new DataLoader(async (ids) => {
      const sharesOf = await sharesOfDocuments(this.#database, writerOf(this.#principal), ids);
      return ids.map((id) => sharesOf.get(id));
    });
    return this.#shares;
  }

  /** Events about a document that the caller may see, newest first. One statement for each place and size asked for. */
  get history(): DataLoader<HistoryOfDocument, readonly EventRow[], string> {
    this.#history ??= new DataLoader(
      (wanted) =>
        inGroups(
          wanted,
          ({ beforeId, size }) => `${beforeId}:${size}`,
          (group, like) => this.#events(group, like),
        ),
      { cacheKeyFn: ({ documentId, beforeId, size }) => `${documentId}:${beforeId}:${size}` },
    );
    return this.#history;
  }

  async #documents(
    group: readonly DocumentsOfAuthor[],
    { end, size }: DocumentsOfAuthor,
  ): Promise<(readonly ListedDocument[])[]> {
    const authorIds = group.map(({ userId }) => userId);
    const which = end === 'first' ? 'oldest' : 'newest';
    const rows = await fewDocumentsOfAuthors(
      this.#database,
      readerOf(this.#principal),
      authorIds,
      which,
      size,
    );
    const rowsOf = Map.groupBy(rows, (row) => row.authorId);
    return authorIds.map((id) => {
      const found = rowsOf.get(id) ?? [];
      return end === 'first' ? found : found.toReversed();
    });
  }

  async #events(
    group: readonly HistoryOfDocument[],
    { beforeId, size }: HistoryOfDocument,
  ): Promise<(readonly EventRow[])[]> {
    const documentIds = group.map(({ documentId }) => documentId);
    const rows = await newestEventsOfDocuments(
      this.#database,
      readerOf(this.#principal),
      documentIds,
      beforeId,
      size,
    );
    const rowsOf = Map.groupBy(rows, (row) => row.subjectId);
    return documentIds.map((id) => rowsOf.get(id) ?? []);
  }
}

/**
 * Loads keys that are alike in all but an id together.
 *
 * @param load gets such keys, and the first of them as the one that all are like; gives a result for each.
 */
async function inGroups<Key, Result>(
  keys: readonly Key[],
  likeness: (key: Key) => string,
  load: (group: readonly Key[], like: Key) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results = new Map<Key, Result>();
  await Promise.all(
    Map.groupBy(keys, likeness)
      .values()
      .map(async (group) => {
        // A group is made for its first key.
        const [like] = group as [Key];
        const loaded = await load(group, like);
        // There is a result for each key of the group, and the groups together have all keys.
        for (const [index, key] of group.entries()) results.set(key, loaded[index] as Result);
      }),
  );
  return keys.map((key) => results.get(key) as Result);
}
