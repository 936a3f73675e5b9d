/** The histories of documents. */
import type { Runner } from '../database.ts';
import { aliasedTable, and, asc, desc, getTableColumns, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { EventRow } from '../rows.ts';
import type { Reader } from '../visibility.ts';
import { mayKnow } from './documents.ts';

interface HistoryParams extends Reader {
  readonly documentIds: readonly number[];
  readonly fromId: number;
  readonly size: number;
}

const history = listStatement<HistoryParams, readonly EventRow[]>('documents.history', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { events, documents } = tables;
  const few = aliasedTable(events, 'few');
  const place = [
    [few.org, p.org],
    [few.subjectType, sql`'document'`],
    [few.subjectId, sql`wanted.id`],
  ] as const;
  // The visibility rule is evaluated once for the document, and not for each of its events.
  const idsOfOneDocument = sql`select ${few.id} from ${events} as few
      where ${dialect.inIndex(place, few.id, { before: p.fromId })}
        and (select ${mayKnow(builder, documents, p)} from ${documents}
          where ${documents.id} = wanted.id and ${documents.org} = ${p.org})
      order by ${sql.join(dialect.orderInIndex(place, desc, few.id), sql`, `)}
      limit ${p.size}`;
  return orm
    .select(getTableColumns(events))
    .from(dialect.each(p.documentIds))
    .innerJoin(
      events,
      and(dialect.amongFew(events.id, idsOfOneDocument), dialect.ofOrganisation(events.org, p.org)),
    )
    .orderBy(asc(events.subjectId), desc(events.id));
});

/**
 * The newest events of each of these documents before an id, in one statement; backwards, the oldest ones after it. Documents that the
 * reader may not see have none. The result is sorted by the id of the document, then from the newest event in both cases. Ids must be
 * distinct.
 */
export function historyOfDocuments(
  db: Runner,
  reader: Reader,
  documentIds: readonly number[],
  fromId: number,
  size: number,
  way: Way,
): Promise<readonly EventRow[]> {
  return db.run(history[way], { ...reader, documentIds, fromId, size });
}
