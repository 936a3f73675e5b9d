/** Lists of visible documents: those of an organisation, and the first ones of many authors. */
import { LIMITS } from '../../core/limits.ts';
import type { Runner } from '../database.ts';
import type { Way } from '../dialect.ts';
import { aliasedTable, and, asc, desc, getTableColumns, isNotNull, isNull, sql } from '../drizzle/index.ts';
import { literal } from '../literals.ts';
import { read } from '../query.ts';
import type { Classification, ListedDocument } from '../rows.ts';
import { asStored, type Builder, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import type { Reader } from '../visibility.ts';
import { mayKnow, mayRead, mayReadPresent } from './documents.ts';
import { eventsOf } from './feed.ts';
import { selectFirst } from './shared/first-rows.ts';
import { type Found, type ListPart, lookFor } from './shared/looking.ts';
import { type Among, amongIn, isAmong, listIn } from './shared/owned.ts';
import { searchIn } from './shared/searching.ts';

/** All columns except the text. */
function listedColumns({ tables: { documents } }: Builder) {
  const { body: _, ...listed } = getTableColumns(documents);
  return listed;
}

type LookedAtDocument = Pick<ListedDocument, 'id'> & { readonly visible: boolean | null };

/** Selects documents, visible or not. */
const lookAt = (builder: Builder, p: Placeholders<Reader>) => {
  const { documents } = builder.tables;
  const visible = mayReadPresent(builder, documents, p);
  return builder.orm.select({ id: documents.id, visible }).from(documents);
};

const isPresent = ({ deletedAt }: Tables['documents']) => [isNull(deletedAt)];

const look = listIn('documents.look', 'documents', 'after', { only: isPresent, select: lookAt });

const lookAtClassified = listIn('documents.lookAtClassified', 'documents', 'after', {
  along: ({ org, classification }, p: Placeholders<Reader & { readonly classification: Classification }>) => [
    [org, p.org],
    [classification, p.classification],
  ],
  only: isPresent,
  select: lookAt,
});

/** Searches for documents that the reader may read: of a class, or for null of any. */
export const searchReadableIds = searchIn<Reader & { readonly classification: Classification | null }>(
  'documents.search',
  'documents',
  (builder, p) => {
    const { documents } = builder.tables;
    const { classification } = documents;
    const isOfClass = sql`${classification} = coalesce(${asStored(p.classification, classification)}, ${classification})`;
    return and(isOfClass, mayReadPresent(builder, documents, p));
  },
  ({ documents }) => isNull(documents.deletedAt),
);

/** The documents among these ids that the reader may read, in order of id. */
export const findReadableDocuments = read.all<Reader & Among, ListedDocument>(
  'documents.readableByIds',
  (builder, p) => {
    const { documents } = builder.tables;
    return builder.orm
      .select(listedColumns(builder))
      .from(documents)
      .where(isAmong(documents, p, builder.dialect, mayRead(builder, documents, p)))
      .orderBy(asc(documents.id));
  },
);

/**
 * The texts of documents that the caller has found to be readable, even if they were deleted since.
 *
 * @param ids at most `LIMITS.bodiesReadAtOnce`.
 */
export const findBodies = amongIn('documents', {
  name: 'documents.bodies',
  columns: ({ id, body }) => ({ id, body }),
});

/** Which of these documents were deleted. */
export const findDeletedIds = amongIn('documents', {
  name: 'documents.deletedAmong',
  columns: ({ id }) => ({ id }),
  only: ({ deletedAt }) => [isNotNull(deletedAt)],
});

interface FewParams extends Reader {
  readonly authorIds: readonly number[];
  readonly size: number;
}

const fewStatement = (name: string, end: 'first' | 'last') =>
  statement<FewParams, readonly ListedDocument[]>(name, (builder, p) => {
    const { tables, dialect } = builder;
    const { documents } = tables;
    const direction = end === 'first' ? asc : desc;
    const passed = aliasedTable(documents, 'passed');
    const placeIn = (table: typeof documents) =>
      [
        [table.org, p.org],
        [table.authorId, sql`wanted.id`],
      ] as const;
    // The first document of the author that is beyond the limit of examined rows.
    const beyond = sql`(select ${passed.id} from ${documents} as passed
      where ${dialect.inIndex(placeIn(passed), passed.id)} and ${passed.deletedAt} is null
      order by ${sql.join(dialect.orderInIndex(placeIn(passed), direction, passed.id), sql`, `)}
      limit 1 offset ${literal(LIMITS.rowsLookedAtPerParent)})`;
    return selectFirst(builder, listedColumns(builder), documents, {
      parents: dialect.each(p.authorIds),
      org: p.org,
      prefix: placeIn,
      range:
        end === 'first'
          ? { before: sql`coalesce(${beyond}, ${literal(Number.MAX_SAFE_INTEGER)})` }
          : { after: sql`coalesce(${beyond}, 0)` },
      only: (few) => and(isNull(few.deletedAt), mayReadPresent(builder, few, p)),
      isSelective: true,
      direction,
      limit: p.size,
    }).orderBy(asc(documents.authorId), direction(documents.id));
  });

const fewOf = {
  first: fewStatement('documents.oldestOfAuthors', 'first'),
  last: fewStatement('documents.newestOfAuthors', 'last'),
};

/**
 * The ids of up to `limit` documents that the reader may read and that follow an id (0 for the first); backwards, those that precede it.
 * {@link lookFor} limits how many documents it examines. Pass one more than a page to detect further pages.
 *
 * @param classification null for all.
 */
export function findReadableIds(
  db: Runner,
  { fromId, limit, ...reader }: Reader & ListPart,
  classification: Classification | null,
  way: Way,
): Promise<Found<LookedAtDocument>> {
  return lookFor({ fromId, limit }, (part) => {
    const params = { ...reader, ...part };
    return classification === null
      ? look(db, params, way)
      : lookAtClassified(db, { ...params, classification }, way);
  });
}

/**
 * The first or the last readable documents of each of these authors by time, at most `size` per author, in one statement. The result is
 * sorted by the id of the author, then from that end. Ids must be distinct.
 *
 * It examines at most `LIMITS.rowsLookedAtPerParent` documents of each author from that end, readable or not.
 */
export const fewDocumentsOfAuthors = (
  db: Runner,
  params: FewParams,
  end: 'first' | 'last',
): Promise<readonly ListedDocument[]> => db.run(fewOf[end], params);

interface HistoryParams extends Reader {
  readonly documentIds: readonly number[];
  readonly fromId: number;
  readonly limit: number;
}

/** An {@link eventsOf} query for documents. Documents that the reader may not see have no events. */
export const historyOfDocuments = eventsOf<HistoryParams>('documents.history', (builder, p) => {
  const { documents } = builder.tables;
  return {
    subjectType: sql`'document'`,
    subjectIds: p.documentIds,
    // The visibility rule is evaluated once for the document, and not for each of its events.
    only: sql`(select ${mayKnow(builder, documents, p)} from ${documents}
      where ${documents.id} = wanted.id and ${documents.org} = ${p.org})`,
    limit: p.limit,
  };
});
