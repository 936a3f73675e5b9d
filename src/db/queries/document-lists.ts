/** Lists of documents, of those that their reader may read: all of an organisation, and the first few of many authors. */

import { type Runner, statement } from '../database.ts';
import { aliasedTable, and, asc, desc, eq, getTableColumns, gt, sql } from '../drizzle/index.ts';
import type { Classification, DocumentRow } from '../rows.ts';
import { mayRead, type Reader } from './documents.ts';

interface AfterParams extends Reader {
  readonly afterId: number;
  readonly limit: number;
}

const after = statement<AfterParams, readonly DocumentRow[]>('documents.after', (builder, p) => {
  const { documents } = builder.tables;
  return builder.orm
    .select()
    .from(documents)
    .where(and(mayRead(builder, documents, p), gt(documents.id, p.afterId)))
    .orderBy(asc(documents.id))
    .limit(p.limit);
});

const classifiedAfter = statement<AfterParams & { classification: Classification }, readonly DocumentRow[]>(
  'documents.classifiedAfter',
  (builder, p) => {
    const { documents } = builder.tables;
    return builder.orm
      .select()
      .from(documents)
      .where(
        and(
          mayRead(builder, documents, p),
          eq(documents.classification, p.classification),
          gt(documents.id, p.afterId),
        ),
      )
      .orderBy(asc(documents.id))
      .limit(p.limit);
  },
);

interface FewParams extends Reader {
  readonly authorIds: readonly number[];
  readonly size: number;
}

const fewStatement = (newestFirst: boolean) =>
  statement<FewParams, readonly DocumentRow[]>(
    newestFirst ? 'documents.newestOfAuthors' : 'documents.oldestOfAuthors',
    (builder, p) => {
      const { orm, tables, dialect } = builder;
      const { documents } = tables;
      const direction = newestFirst ? desc : asc;
      const few = aliasedTable(documents, 'few');
      const idsOfOneAuthor = sql`select ${few.id} from ${documents} as few
        where ${few.authorId} = wanted.id and ${mayRead(builder, few, p)}
        order by ${direction(few.id)}
        limit ${p.size}`;
      return orm
        .select(getTableColumns(documents))
        .from(dialect.each(p.authorIds))
        .innerJoin(documents, dialect.amongFew(documents.id, idsOfOneAuthor))
        .orderBy(asc(documents.authorId), direction(documents.id));
    },
  );

const newestOfAuthors = fewStatement(true);
const oldestOfAuthors = fewStatement(false);

/**
 * Up to `limit` documents with an id above `afterId` (0 for the first), in order of id. Ask for one more than a page.
 *
 * @param classification null for all.
 */
export function documentsAfter(
  db: Runner,
  reader: Reader,
  classification: Classification | null,
  afterId: number,
  limit: number,
): Promise<readonly DocumentRow[]> {
  return classification === null
    ? db.run(after, { ...reader, afterId, limit })
    : db.run(classifiedAfter, { ...reader, classification, afterId, limit });
}

/**
 * The newest or the oldest few documents of each of these authors, in one statement. Author by author in order of id, and
 * each author's in the direction asked for: `newest` gives the newest first. Ids must be distinct.
 */
export function fewDocumentsOfAuthors(
  db: Runner,
  reader: Reader,
  authorIds: readonly number[],
  which: 'newest' | 'oldest',
  size: number,
): Promise<readonly DocumentRow[]> {
  return db.run(which === 'newest' ? newestOfAuthors : oldestOfAuthors, { ...reader, authorIds, size });
}
