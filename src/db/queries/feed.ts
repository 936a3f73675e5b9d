/** The event feed: the visible part of the log, newest first, in pages. */

import type { Runner } from '../database.ts';
import { aliasedTable, and, asc, desc, getTableColumns, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import { read } from '../query.ts';
import type { EventRow } from '../rows.ts';
import { maySee, type Reader } from '../visibility.ts';
import { type Found, lookFor } from './looking.ts';
import { isRow } from './owned.ts';

interface FeedParams extends Reader {
  /** The event that the page follows in the order of the list. */
  readonly fromId: number;
  readonly limit: number;
}

interface SubjectParams {
  readonly org: string;
  readonly subjectType: string;
  readonly subjectIds: readonly number[];
  readonly fromId: number;
  readonly limit: number;
}

type LookedAtEvent = EventRow & { readonly visible: boolean | null };

interface LookParams extends FeedParams {
  /** Types that the reader may see; null for all. */
  readonly types: readonly string[] | null;
}

const look = listStatement<LookParams, readonly LookedAtEvent[]>('feed.look', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { events } = tables;
  const isOfTypes = dialect.anyOfUnlessNull(events.type, p.types);
  return orm
    .select({
      ...getTableColumns(events),
      visible: sql<boolean | null>`(${isOfTypes} and ${maySee(builder, events, p)})`.mapWith(Boolean),
    })
    .from(events)
    .where(
      dialect.inIndex([[events.org, p.org]], events.id, {
        before: p.fromId,
      }),
    )
    .orderBy(...dialect.orderInIndex([[events.org, p.org]], desc, events.id))
    .limit(p.limit);
});

const one = read.first<Reader & { id: number }, LookedAtEvent>('feed.one', (builder, p) => {
  const { orm, tables } = builder;
  const { events } = tables;
  return orm
    .select({ ...getTableColumns(events), visible: maySee(builder, events, p) })
    .from(events)
    .where(isRow(events, p));
});

/** Finds the newest events of each subject by an index lookup per subject. */
const ofSubjects = listStatement<SubjectParams, readonly EventRow[]>(
  'feed.ofSubjects',
  ({ orm, tables: { events }, dialect }, p) => {
    const few = aliasedTable(events, 'few');
    const place = [
      [few.org, p.org],
      [few.subjectType, p.subjectType],
      [few.subjectId, sql`wanted.id`],
    ] as const;
    const idsOfOne = sql`select ${few.id} from ${events} as few
      where ${dialect.inIndex(place, few.id, { before: p.fromId })}
      order by ${sql.join(dialect.orderInIndex(place, desc, few.id), sql`, `)}
      limit ${p.limit}`;
    return orm
      .select(getTableColumns(events))
      .from(dialect.each(p.subjectIds))
      .innerJoin(
        events,
        and(dialect.amongFew(events.id, idsOfOne), dialect.ofOrganisation(events.org, p.org)),
      )
      .orderBy(asc(events.subjectId), desc(events.id));
  },
);

/** Reads a page of each type by an index lookup per type, and returns the newest of them. No event of another type is read. */
const lookAtTypes = listStatement<FeedParams & { types: readonly string[] }, readonly LookedAtEvent[]>(
  'feed.lookAtTypes',
  (builder, p) => {
    const { orm, tables, dialect } = builder;
    const { events } = tables;
    const few = aliasedTable(events, 'few');
    const place = [
      [few.org, p.org],
      [few.type, sql`wanted.text`],
    ] as const;
    const idsOfOneType = sql`select ${few.id} from ${events} as few
      where ${dialect.inIndex(place, few.id, { before: p.fromId })}
      order by ${sql.join(dialect.orderInIndex(place, desc, few.id), sql`, `)}
      limit ${p.limit}`;
    return orm
      .select({ ...getTableColumns(events), visible: maySee(builder, events, p) })
      .from(dialect.eachText(p.types))
      .innerJoin(
        events,
        and(dialect.amongFew(events.id, idsOfOneType), dialect.ofOrganisation(events.org, p.org)),
      )
      .orderBy(...dialect.orderInIndex([], desc, events.id))
      .limit(p.limit);
  },
);

/**
 * Returns up to `limit` visible events before an id, newest first; backwards, those after it. {@link lookFor} limits how many events it
 * examines.
 *
 * @param asked the requested types, or null for all.
 * @param types the requested types that the reader may see, distinct, or null for all.
 */
export async function feedBefore(
  db: Runner,
  { fromId, limit, ...reader }: FeedParams,
  asked: readonly string[] | null,
  types: readonly string[] | null,
  way: Way,
): Promise<Found<LookedAtEvent>> {
  if (types?.length === 0) return { rows: [], stoppedAt: undefined };
  return lookFor(fromId, limit, (from, size) => {
    const params = { ...reader, fromId: from, limit: size };
    // Of a list of all types, most events are visible, so the log is read in order and not looked up type by type.
    return asked === null || types === null
      ? db.run(look[way], { ...params, types })
      : db.run(lookAtTypes[way], { ...params, types });
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

/**
 * The newest events of each of these subjects before an id; backwards, the oldest ones after it. The result is sorted by the id of the
 * subject, then from the newest event in both cases. Only for kinds of subjects without a visibility rule. Ids must be distinct.
 */
export function eventsOfSubjects(db: Runner, params: SubjectParams, way: Way): Promise<readonly EventRow[]> {
  return db.run(ofSubjects[way], params);
}
