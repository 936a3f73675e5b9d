/** The log as people read it: newest first, page by page, as far as each may see it. */

import { type Runner, statement } from '../database.ts';
import { aliasedTable, and, asc, desc, eq, getTableColumns, sql } from '../drizzle/index.ts';
import type { EventRow } from '../rows.ts';
import { maySee, type Reader } from '../visibility.ts';
import { type Found, lookFor } from './looking.ts';

interface FeedParams extends Reader {
  /** Only events with a smaller id. */
  readonly beforeId: number;
  readonly limit: number;
}

interface SubjectParams {
  readonly org: string;
  readonly subjectType: string;
  readonly subjectIds: readonly number[];
  readonly beforeId: number;
  readonly limit: number;
}

type LookedAtEvent = EventRow & { readonly visible: boolean | null };

interface LookParams extends FeedParams {
  /** Types that the reader may see, null for all. */
  readonly types: readonly string[] | null;
}

const look = statement<LookParams, readonly LookedAtEvent[]>('feed.look', (builder, p) => {
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
        before: p.beforeId,
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
const ofSubjects = statement<SubjectParams, readonly EventRow[]>(
  'feed.ofSubjects',
  ({ orm, tables: { events }, dialect }, p) => {
    const few = aliasedTable(events, 'few');
    const place = [
      [few.org, p.org],
      [few.subjectType, p.subjectType],
      [few.subjectId, sql`wanted.id`],
    ] as const;
    const idsOfOne = sql`select ${few.id} from ${events} as few
      where ${dialect.inIndex(place, few.id, { before: p.beforeId })}
      order by ${sql.join(dialect.orderInIndex(place, desc, few.id), sql`, `)}
      limit ${p.limit}`;
    return orm
      .select(getTableColumns(events))
      .from(dialect.each(p.subjectIds))
      .innerJoin(events, dialect.amongFew(events.id, idsOfOne))
      .orderBy(asc(events.subjectId), desc(events.id));
  },
);

/** A page of each type, found at its place of the index, and of these the newest: no event of another type is read. */
const lookAtTypes = statement<FeedParams & { types: readonly string[] }, readonly LookedAtEvent[]>(
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
      where ${dialect.inIndex(place, few.id, { before: p.beforeId })}
      order by ${sql.join(dialect.orderInIndex(place, desc, few.id), sql`, `)}
      limit ${p.limit}`;
    return orm
      .select({ ...getTableColumns(events), visible: maySee(builder, events, p) })
      .from(dialect.eachText(p.types))
      .innerJoin(events, dialect.amongFew(events.id, idsOfOneType))
      .orderBy(desc(events.id))
      .limit(p.limit);
  },
);

/**
 * Up to `limit` events before one that the reader may see, newest first, as far as {@link lookFor} looks.
 *
 * @param asked types that the list is of, or null for all.
 * @param types those of them that the reader may see, distinct, or null for all.
 */
export async function feedBefore(
  db: Runner,
  { beforeId, limit, ...reader }: FeedParams,
  asked: readonly string[] | null,
  types: readonly string[] | null,
): Promise<Found<LookedAtEvent>> {
  if (types?.length === 0) return { rows: [], stoppedAt: undefined };
  return lookFor(beforeId, limit, (from, size) => {
    const params = { ...reader, beforeId: from, limit: size };
    // Of a list of all types most can be seen, so that they are passed in order and not looked up type by type.
    return asked === null || types === null
      ? db.run(look, { ...params, types })
      : db.run(lookAtTypes, { ...params, types });
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
 * The newest few events about each of these subjects, subject by subject in order of id. It is for kinds of subjects without a
 * visibility rule. Ids must be distinct.
 */
export function eventsOfSubjects(db: Runner, params: SubjectParams): Promise<readonly EventRow[]> {
  return db.run(ofSubjects, params);
}
