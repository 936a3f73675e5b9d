/** The histories of documents. */
import { sql } from '../drizzle/index.ts';
import type { Reader } from '../visibility.ts';
import { mayKnow } from './documents.ts';
import { eventsOf } from './feed.ts';

interface HistoryParams extends Reader {
  readonly documentIds: readonly number[];
  readonly fromId: number;
  readonly size: number;
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
    limit: p.size,
  };
});
