/** The log as people read it: newest first, page by page, as far as each may see it. */

import { type Runner, statement } from '../database.ts';
import { aliasedTable, and, asc, desc, eq, getTableColumns, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { EventRow } from '../rows.ts';
import { maySee, type Reader } from '../visibility.ts';
import { type Found, lookFor } from './looking.ts';

interface FeedParams extends Reader {
  /** Events older than this one, or newer ones when they are read backwards. */
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
  /** Types that the reader may see, null for all. */
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

const one = statement<Reader & { id: number }, readonly LookedAtEvent[]>('feed.one', (builder, p) => {
  const { orm, tables } = builder;
  const { events } = tables;
  return orm
    .select({ ...getTableColumns(events), visible: maySee(builder, events, p) })
    .from(events)
    .where(and(eq(events.id, p.id), eq(events.org, p.org)));
});

/** The newest events about each of some subjects of one kind, found at their places of the index. */
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

/** A page of each type, found at its place of the index, and of these the newest: no event of another type is read. */
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
 * Up to `limit` events before one that the reader may see, newest first, or after it when they are read backwards, as far as
 * {@link lookFor} looks.
 *
 * @param asked types that the list is of, or null for all.
 * @param types those of them that the reader may see, distinct, or null for all.
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
    // Of a list of all types most can be seen, so that they are passed in order and not looked up type by type.
    return asked === null || types === null
      ? db.run(look[way], { ...params, types })
      : db.run(lookAtTypes[way], { ...params, types });
  });
}

/** The event with this id, as far as the reader may see it by the visibility rules. */
export async function findVisibleEvent(
  db: Runner,
  reader: Reader,
  id: number,
): Promise<EventRow | undefined> {
  const [row] = await db.run(one, { ...reader, id });
  return row?.visible ? row : undefined;
}

/**
 * The newest few events about each of these subjects before one, or the oldest few after it when they are read backwards. Subject by
 * subject in order of id, the newest first in either case. It is for kinds of subjects without a visibility rule. Ids must be distinct.
 */
export function eventsOfSubjects(db: Runner, params: SubjectParams, way: Way): Promise<readonly EventRow[]> {
  return db.run(ofSubjects[way], params);
}
