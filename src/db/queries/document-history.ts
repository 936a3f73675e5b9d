/** The histories of documents. */
import { asc, desc, getTableColumns, sql } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { EventRow } from '../rows.ts';
import type { Reader } from '../visibility.ts';
import { mayKnow } from './documents.ts';
import { isAmongFirst } from './first-rows.ts';

interface HistoryParams extends Reader {
  readonly documentIds: readonly number[];
  readonly fromId: number;
  readonly size: number;
}

/**
 * The newest events of each of these documents before an id, in one statement; backwards, the oldest ones after it. Documents that the
 * reader may not see have none. The result is sorted by the id of the document, then from the newest event in both cases. Ids must be
 * distinct.
 */
export const historyOfDocuments = read.list<HistoryParams, EventRow>('documents.history', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { events, documents } = tables;
  const newest = isAmongFirst(dialect, events, {
    org: p.org,
    prefix: (few) => [
      [few.org, p.org],
      [few.subjectType, sql`'document'`],
      [few.subjectId, sql`wanted.id`],
    ],
    range: { before: p.fromId },
    // The visibility rule is evaluated once for the document, and not for each of its events.
    only: () => sql`(select ${mayKnow(builder, documents, p)} from ${documents}
      where ${documents.id} = wanted.id and ${documents.org} = ${p.org})`,
    direction: desc,
    limit: p.size,
  });
  return orm
    .select(getTableColumns(events))
    .from(dialect.each(p.documentIds))
    .innerJoin(events, newest)
    .orderBy(asc(events.subjectId), desc(events.id));
});
