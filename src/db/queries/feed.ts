/** The log as people read it: newest first, page by page, as far as each may see it. */

import { type Runner, statement } from '../database.ts';
import { aliasedTable, and, desc, getTableColumns, lt, sql } from '../drizzle/index.ts';
import type { EventRow } from '../rows.ts';
import type { Reader } from './documents.ts';
import { maySee } from './events.ts';

interface FeedParams extends Reader {
  /** Only events with a smaller id. */
  readonly beforeId: number;
  readonly limit: number;
}

const page = statement<FeedParams, readonly EventRow[]>('feed.page', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { events } = tables;
  return (
    orm
      .select()
      .from(events)
      .where(and(maySee(builder, events, p), lt(events.id, dialect.steady(p.beforeId))))
      .orderBy(desc(events.id))
      // drizzle's types want a number or a bare placeholder here; it writes whatever it is given.
      .limit(dialect.steady(p.limit) as never)
  );
});

/** A page of each type, found at its end of the index, and of these the newest: no event of another type is read. */
const pageOfTypes = statement<FeedParams & { types: readonly string[] }, readonly EventRow[]>(
  'feed.pageOfTypes',
  (builder, p) => {
    const { orm, tables, dialect } = builder;
    const { events } = tables;
    const few = aliasedTable(events, 'few');
    const idsOfOneType = sql`select ${few.id} from ${events} as few
      where ${few.type} = wanted.text and ${few.id} < ${p.beforeId} and ${maySee(builder, few, p)}
      order by ${desc(few.id)}
      limit ${p.limit}`;
    return orm
      .select(getTableColumns(events))
      .from(dialect.eachText(p.types))
      .innerJoin(events, dialect.amongFew(events.id, idsOfOneType))
      .orderBy(desc(events.id))
      .limit(dialect.steady(p.limit) as never);
  },
);

/**
 * Up to `limit` events before one that the reader may see, newest first.
 *
 * @param types distinct, or null for all.
 */
export function feedBefore(
  db: Runner,
  params: FeedParams,
  types: readonly string[] | null,
): Promise<readonly EventRow[]> {
  if (types?.length === 0) return Promise.resolve([]);
  return types === null ? db.run(page, params) : db.run(pageOfTypes, { ...params, types });
}
