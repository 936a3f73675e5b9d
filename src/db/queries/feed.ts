/** The event feed: the visible part of the log, newest first, in pages. */

import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { Runner } from '../database.ts';
import type { Way } from '../dialect.ts';
import { asc, desc, getTableColumns, sql } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { EventRow } from '../rows.ts';
import type { Builder, Placeholders } from '../statement.ts';
import { maySee, type Reader } from '../visibility.ts';
import { selectFirst } from './shared/first-rows.ts';
import { type Found, lookFor } from './shared/looking.ts';
import { isRow, listIn, type Page } from './shared/owned.ts';

interface SubjectParams extends Page {
  readonly subjectType: string;
  readonly subjectIds: readonly number[];
}

type LookedAtEvent = EventRow & { readonly visible: boolean | null };

interface LookParams extends Reader {
  /** Types that the reader may see. */
  readonly types: readonly string[];
}

const look = listIn('feed.look', 'events', 'before', {
  select(builder, p: Placeholders<LookParams>) {
    const { orm, tables, dialect } = builder;
    const { events } = tables;
    const isOfTypes = dialect.anyOf(events.type, p.types);
    return orm
      .select({
        ...getTableColumns(events),
        visible: sql<boolean | null>`(${isOfTypes} and ${maySee(builder, events, p)})`.mapWith(Boolean),
      })
      .from(events);
  },
});

const one = read.first<Reader & { id: number }, LookedAtEvent>('feed.one', (builder, p) => {
  const { orm, tables } = builder;
  const { events } = tables;
  return orm
    .select({ ...getTableColumns(events), visible: maySee(builder, events, p) })
    .from(events)
    .where(isRow(events, p));
});

/**
 * Declares a query for the newest events of each of many subjects of one kind before an id; backwards, the oldest ones after it. The result
 * is sorted by the id of the subject, then from the newest event in both cases. Ids must be distinct.
 *
 * @param of the subjects, and a condition of those whose events are read.
 */
export const eventsOf = <P extends Omit<Page, 'limit'>>(
  name: string,
  of: (builder: Builder, p: Placeholders<P>) => HistoryTerms,
) =>
  read.list<P, EventRow>(name, (builder, p) => {
    const { tables, dialect } = builder;
    const { events } = tables;
    const { subjectType, subjectIds, only, limit } = of(builder, p);
    return selectFirst(builder, getTableColumns(events), events, {
      parents: dialect.each(subjectIds),
      org: p.org,
      prefix: (few) => [
        [few.org, p.org],
        [few.subjectType, subjectType],
        [few.subjectId, sql`wanted.id`],
      ],
      range: { before: p.fromId },
      only: () => only,
      direction: desc,
      limit,
    }).orderBy(asc(events.subjectId), desc(events.id));
  });

interface HistoryTerms {
  readonly subjectType: SQLWrapper;
  readonly subjectIds: Placeholder;
  readonly only?: SQL;
  /** The maximum number of events of a subject. */
  readonly limit: Placeholder;
}

/** An {@link eventsOf} query for subjects without a visibility rule. */
export const eventsOfSubjects = eventsOf<SubjectParams>(
  'feed.ofSubjects',
  (_builder, { subjectType, subjectIds, limit }) => ({ subjectType, subjectIds, limit }),
);

/** Reads a page of each type by an index lookup per type, and returns the newest of them. No event of another type is read. */
const lookAtTypes = read.list<Reader & Page & { types: readonly string[] }, LookedAtEvent>(
  'feed.lookAtTypes',
  (builder, p) => {
    const { tables, dialect } = builder;
    const { events } = tables;
    const columns = { ...getTableColumns(events), visible: maySee(builder, events, p) };
    const first = selectFirst(builder, columns, events, {
      parents: dialect.eachText(p.types),
      org: p.org,
      prefix: (few) => [
        [few.org, p.org],
        [few.type, sql`wanted.text`],
      ],
      range: { before: p.fromId },
      direction: desc,
      limit: p.limit,
    });
    return first.orderBy(...dialect.orderInIndex([], desc, events.id)).limit(p.limit);
  },
);

/**
 * Returns up to `limit` visible events before an id, newest first; backwards, those after it. {@link lookFor} limits how many events it
 * examines.
 *
 * @param asked the requested types, or null for all.
 * @param types the requested types that the reader may see, distinct.
 */
export async function feedBefore(
  db: Runner,
  { fromId, limit, ...reader }: Reader & Page,
  asked: readonly string[] | null,
  types: readonly string[],
  way: Way,
): Promise<Found<LookedAtEvent>> {
  if (types.length === 0) return { rows: [], stoppedAt: undefined, skipped: 0 };
  return lookFor({ fromId, limit }, (part) => {
    const params = { ...reader, ...part };
    // Of a list of all types, most events are visible, so the log is read in order and not looked up type by type.
    return asked === null ? look(db, { ...params, types }, way) : lookAtTypes(db, { ...params, types }, way);
  });
}

/** The event with this id, if the visibility rules let the reader see it. */
export async function findVisibleEvent(
  db: Runner,
  reader: Reader,
  id: number,
): Promise<EventRow | undefined> {
  const row = await one(db, { ...reader, id });
  return row?.visible ? row : undefined;
}
