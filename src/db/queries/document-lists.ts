/** Lists of visible documents: those of an organisation, and the first ones of many authors. */

import { LIMITS } from '../../core/limits.ts';
import type { SearchWords } from '../../core/search.ts';
import type { Database, Runner } from '../database.ts';
import {
  aliasedTable,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  sql,
} from '../drizzle/index.ts';
import type { Way } from '../dialect.ts';
import { literal } from '../literals.ts';
import { read } from '../query.ts';
import type { Classification, DocumentRow, ListedDocument } from '../rows.ts';
import { asStored, type Builder, checked, statement } from '../statement.ts';
import type { Reader } from '../visibility.ts';
import { PART_SIZES } from '../words.ts';
import { mayRead, mayReadPresent } from './documents.ts';
import { isAmongFirst } from './first-rows.ts';
import { type Found, lookFor } from './looking.ts';
import {
  type FoundRanked,
  findRanked,
  type Match,
  ranksOf,
  type Searching,
  type SearchParams,
  type SearchPosition,
} from './searching.ts';
import { newestIdWithWords } from './words.ts';

/** All columns except the text. */
function listedColumns({ tables: { documents } }: Builder) {
  const { body: _, ...listed } = getTableColumns(documents);
  return listed;
}

interface AfterParams extends Reader {
  readonly fromId: number;
  readonly limit: number;
}

type LookedAtDocument = Pick<ListedDocument, 'id'> & { readonly visible: boolean | null };

const look = read.list<AfterParams, LookedAtDocument>('documents.look', (builder, p) => {
  const { documents } = builder.tables;
  return builder.orm
    .select({ id: documents.id, visible: mayReadPresent(builder, documents, p) })
    .from(documents)
    .where(
      and(
        builder.dialect.inIndex([[documents.org, p.org]], documents.id, {
          after: p.fromId,
        }),
        isNull(documents.deletedAt),
      ),
    )
    .orderBy(...builder.dialect.orderInIndex([[documents.org, p.org]], asc, documents.id))
    .limit(p.limit);
});

const lookAtClassified = read.list<AfterParams & { classification: Classification }, LookedAtDocument>(
  'documents.lookAtClassified',
  (builder, p) => {
    const { documents } = builder.tables;
    const { org, classification, id, deletedAt } = documents;
    const place = [
      [org, p.org],
      [classification, p.classification],
    ] as const;
    return builder.orm
      .select({ id, visible: mayReadPresent(builder, documents, p) })
      .from(documents)
      .where(and(builder.dialect.inIndex(place, id, { after: p.fromId }), isNull(deletedAt)))
      .orderBy(...builder.dialect.orderInIndex(place, asc, id))
      .limit(p.limit);
  },
);

interface SearchDocumentsParams extends SearchParams, Reader {
  readonly classification: Classification | null;
}

const searchStatement = (way: Way) =>
  statement<SearchDocumentsParams, readonly Match[]>(`documents.search.${way}`, (builder, p) => {
    const { orm, tables, dialect } = builder;
    const { documents } = tables;
    const { id, org, classification, deletedAt } = documents;
    const isOfClass = sql`${classification} = coalesce(${asStored(p.classification, classification)}, ${classification})`;
    const visible = and(isNotNull(id), isOfClass, mayReadPresent(builder, documents, p));
    return orm
      .select({
        id: sql<number>`few.id`.mapWith(id).as('few_id'),
        collected: sql<number>`few.collected`.mapWith(Number),
        visible: sql<boolean | null>`${visible}`.mapWith(Boolean),
      })
      .from(sql`${dialect.matches('documents', p, way)} as few`)
      .leftJoin(documents, and(eq(id, sql`few.id`), eq(org, p.org), isNull(deletedAt)))
      .orderBy((way === 'forwards' ? desc : asc)(sql`few.id`));
  });

const search = { forwards: searchStatement('forwards'), backwards: searchStatement('backwards') };

const newestWithWords = newestIdWithWords('documents');

/** The documents among these ids that the reader may read, in order of id. */
export const findReadableDocuments = read.all<Reader & { ids: readonly number[] }, ListedDocument>(
  'documents.readableByIds',
  (builder, p) => {
    const { documents } = builder.tables;
    return builder.orm
      .select(listedColumns(builder))
      .from(documents)
      .where(
        and(
          builder.dialect.anyOf(documents.id, p.ids),
          builder.dialect.ofOrganisation(documents.org, p.org),
          checked(mayRead(builder, documents, p)),
        ),
      )
      .orderBy(asc(documents.id));
  },
);

/**
 * The texts of documents that the caller has found to be readable, even if they were deleted since.
 *
 * @param ids at most `LIMITS.bodiesReadAtOnce`.
 */
export const findBodies = read.all<{ org: string; ids: readonly number[] }, Pick<DocumentRow, 'id' | 'body'>>(
  'documents.bodies',
  ({ orm, tables: { documents }, dialect }, p) =>
    orm
      .select({ id: documents.id, body: documents.body })
      .from(documents)
      .where(and(dialect.anyOf(documents.id, p.ids), dialect.ofOrganisation(documents.org, p.org))),
);

interface FewParams extends Reader {
  readonly authorIds: readonly number[];
  readonly size: number;
}

const fewStatement = (newestFirst: boolean) =>
  statement<FewParams, readonly ListedDocument[]>(
    newestFirst ? 'documents.newestOfAuthors' : 'documents.oldestOfAuthors',
    (builder, p) => {
      const { orm, tables, dialect } = builder;
      const { documents } = tables;
      const direction = newestFirst ? desc : asc;
      const passed = aliasedTable(documents, 'passed');
      const placeIn = (table: typeof documents) =>
        [
          [table.org, p.org],
          [table.authorId, sql`wanted.id`],
        ] as const;
      // The first document of the author that is beyond the limit of examined rows.
      const end = sql`(select ${passed.id} from ${documents} as passed
        where ${dialect.inIndex(placeIn(passed), passed.id)} and ${passed.deletedAt} is null
        order by ${sql.join(dialect.orderInIndex(placeIn(passed), direction, passed.id), sql`, `)}
        limit 1 offset ${literal(LIMITS.rowsLookedAtPerParent)})`;
      const first = isAmongFirst(dialect, documents, {
        org: p.org,
        prefix: placeIn,
        range: newestFirst
          ? { after: sql`coalesce(${end}, 0)` }
          : { before: sql`coalesce(${end}, ${literal(Number.MAX_SAFE_INTEGER)})` },
        only: (few) => and(isNull(few.deletedAt), mayReadPresent(builder, few, p)),
        direction,
        limit: p.size,
      });
      return orm
        .select(listedColumns(builder))
        .from(dialect.each(p.authorIds))
        .innerJoin(documents, first)
        .orderBy(asc(documents.authorId), direction(documents.id));
    },
  );

const newestOfAuthors = fewStatement(true);
const oldestOfAuthors = fewStatement(false);

/**
 * The ids of up to `limit` documents that the reader may read and that follow an id (0 for the first); backwards, those that precede it.
 * {@link lookFor} limits how many documents it examines. Pass one more than a page to detect further pages.
 *
 * @param classification null for all.
 */
export function findReadableIds(
  db: Runner,
  reader: Reader,
  classification: Classification | null,
  fromId: number,
  limit: number,
  way: Way,
): Promise<Found<LookedAtDocument>> {
  return lookFor(fromId, limit, (from, size) => {
    const params = { ...reader, fromId: from, limit: size };
    return classification === null
      ? look(db, params, way)
      : lookAtClassified(db, { ...params, classification }, way);
  });
}

/**
 * Searches for documents that the reader may read: ids with their ranks, the best first, after a position in the list.
 *
 * @param classification null for all.
 */
export function searchReadableIds(
  db: Database,
  { reader, words, classification }: DocumentSearch,
  from: SearchPosition | undefined,
  limit: number,
  way: Way,
): Promise<FoundRanked> {
  const { org } = reader;
  const searching: Searching = {
    look: (params, on) => db.run(search[on], { ...reader, ...params, classification }),
    newestId: () => newestWithWords(db, org),
    partSizes: PART_SIZES[db.engine],
  };
  return findRanked(searching, ranksOf(org, words, true), from, limit, way);
}

export interface DocumentSearch {
  readonly reader: Reader;
  readonly words: SearchWords;
  readonly classification: Classification | null;
}

/**
 * The newest or the oldest readable documents of each of these authors, at most `size` per author, in one statement. The result is sorted
 * by the id of the author, then from the newest (or oldest) document. Ids must be distinct.
 *
 * It examines at most `LIMITS.rowsLookedAtPerParent` documents of each author from that end, readable or not.
 */
export function fewDocumentsOfAuthors(
  db: Runner,
  reader: Reader,
  authorIds: readonly number[],
  which: 'newest' | 'oldest',
  size: number,
): Promise<readonly ListedDocument[]> {
  return db.run(which === 'newest' ? newestOfAuthors : oldestOfAuthors, { ...reader, authorIds, size });
}
