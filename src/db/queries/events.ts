import type { Placeholder, SQL } from 'drizzle-orm';
import { LIMITS } from '../../core/limits.ts';
import type { Runner, Transaction } from '../database.ts';
import { and, asc, count, desc, getTableColumns, gt, sql } from '../drizzle/index.ts';
import { DatabaseError } from '../errors.ts';
import { constantLimit } from '../literals.ts';
import { type CredentialKind, ORIGIN_COLUMNS, type Origin, originFor } from '../origin.ts';
import { onlyRow, read, write } from '../query.ts';
import type { EventRow } from '../rows.ts';
import { asStored, equal, given, type Placeholders, statementPerForm } from '../statement.ts';
import { maySee, type Reader } from '../visibility.ts';
import { selectFirst } from './shared/first-rows.ts';
import { listIn, lookupIn, type Page, rowsIn } from './shared/owned.ts';
import {
  type By,
  CALLERS,
  kindOf,
  paramsOf,
  type Standing,
  type StandingParams,
  standing,
} from './standing.ts';

/** What the log and the audit log have in common. */
export const RECORDED = ['org', 'type', 'actorId', 'subjectType', 'subjectId', 'data', 'createdAt'] as const;

type NewEvent = Pick<EventRow, (typeof RECORDED)[number]>;

/** An event caused by a caller, who is its actor. */
type NewEventOfCaller = Omit<NewEvent, 'actorId'> & Standing;

const insert = write.only<NewEvent & Origin, { id: number }>(
  'events.insert',
  ({ orm, tables: { events }, dialect }, p) =>
    orm
      .insert(events)
      .values({
        ...given(p, ...RECORDED, ...ORIGIN_COLUMNS),
        id: dialect.nextIdUnderOrgLock(events.id, p.org),
      })
      .returning({ id: events.id }),
);

type Param = Placeholder | SQL;

/**
 * Declares an insert that requires the caller to still have the rights with which it was admitted. Without them a required column is
 * null, so that the statement fails, and with it the transaction, even if its commit was already sent.
 */
const insertWhile = statementPerForm<
  By,
  Omit<NewEvent, 'actorId'> & StandingParams & Origin,
  readonly { id: number }[]
>(
  CALLERS,
  (by) => `events.insert_while_${by}`,
  (by, builder, p) => {
    const { orm, tables, dialect } = builder;
    const { events } = tables;
    const column = <T>(name: string, value: Param) => sql<T>`${value}`.as(name);
    return orm
      .insert(events)
      .select(
        orm
          .select({
            id: column<number>('id', dialect.nextIdUnderOrgLock(events.id, p.org)),
            org: column<string>('org', sql`standing.org`),
            type: column<string>('type', sql`case when standing.has_role then ${p.type} end`),
            actorId: column<number>('actor_id', p.userId),
            subjectType: column<string>('subject_type', p.subjectType),
            subjectId: column<number>('subject_id', p.subjectId),
            data: column<EventRow['data']>('data', asStored(p.data, events.data)),
            createdAt: column<Date>('created_at', asStored(p.createdAt, events.createdAt)),
            address: column<string>('address', p.address),
            credentials: column<CredentialKind>('credentials', p.credentials),
            credentialsId: column<number>('credentials_id', p.credentialsId),
          })
          .from(sql`(select 1) as one left join ${standing(builder, p, by)} on true`),
      )
      .returning({ id: events.id });
  },
);

interface UnreadParams extends Reader {
  readonly afterId: number;
  readonly types: readonly string[];
}

const unreadAfter = read.only<UnreadParams, { events: number }>('events.unreadAfter', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { events } = tables;
  const { org, id, type, subjectType, subjectId } = events;
  const newest = orm
    .select({ type, subjectType, subjectId })
    .from(events)
    .where(dialect.inIndex([[org, p.org]], id, { after: p.afterId }))
    .orderBy(...dialect.orderInIndex([[org, p.org]], desc, id))
    .limit(constantLimit(LIMITS.unreadLookedAt))
    .as('newest');
  const seen = orm
    .select({ one: sql`1`.as('one') })
    .from(newest)
    .where(and(maySee(builder, newest, p), dialect.anyOf(newest.type, p.types)))
    .limit(constantLimit(LIMITS.unreadMost))
    .as('seen');
  return orm.select({ events: count() }).from(seen);
});

/** Up to `limit` events of the organisation after the event `fromId`, oldest first, regardless of visibility. */
export const eventsAfter = rowsIn('events', 'after');

/** Like {@link eventsAfter}, but only events of these types, which are distinct. One index lookup per type: no other event is read. */
export const eventsOfTypesAfter = read.all<Page & { readonly types: readonly string[] }, EventRow>(
  'events.ofTypesAfter',
  (builder, p) => {
    const { tables, dialect } = builder;
    const { events } = tables;
    const first = selectFirst(builder, getTableColumns(events), events, {
      parents: dialect.eachText(p.types),
      org: p.org,
      prefix: (few) => [
        [few.org, p.org],
        [few.type, sql`wanted.text`],
      ],
      range: { after: p.fromId },
      direction: asc,
      limit: p.limit,
    });
    return first.orderBy(...dialect.orderInIndex([], asc, events.id)).limit(p.limit);
  },
);

/** Like {@link eventsAfter}, but only events about this subject. */
export const eventsOfSubjectAfter = listIn('events.ofSubjectAfter', 'events', 'after', {
  along: (
    { org, subjectType, subjectId },
    p: Placeholders<Pick<EventRow, 'org' | 'subjectType' | 'subjectId'>>,
  ) => [
    [org, p.org],
    [subjectType, p.subjectType],
    [subjectId, p.subjectId],
  ],
});

/** Whether an event of this type about this subject was recorded after a time. */
export const hasEventSince = read.any<
  Pick<EventRow, 'org' | 'type' | 'subjectId'> & { readonly since: Date }
>('events.since', ({ orm, tables: { events } }, p) =>
  orm
    .select({ id: events.id })
    .from(events)
    .where(and(equal(events, p, 'org', 'type', 'subjectId'), gt(events.createdAt, p.since)))
    .limit(constantLimit(1)),
);

/** The organisation's newest event; undefined if there is none. */
export const newestEvent = read.first<{ org: string }, Pick<EventRow, 'id' | 'createdAt'>>(
  'events.newest',
  ({ orm, tables: { events }, dialect }, p) =>
    orm
      .select({ id: events.id, createdAt: events.createdAt })
      .from(events)
      .where(dialect.inIndex([[events.org, p.org]], events.id))
      .orderBy(...dialect.orderInIndex([[events.org, p.org]], desc, events.id))
      .limit(constantLimit(1)),
);

/**
 * Inserts an event into the log, in the transaction of the change that it records. Returns its id.
 *
 * The events of an organisation become visible in the order of their ids, so that a reader who has read up to an event has missed none
 * before it. On PostgreSQL, other writers of the organisation's log wait from here to the end of the transaction.
 *
 * @param origin the origin of the change.
 */
export async function insertEvent(tx: Transaction, event: NewEvent, origin = tx.origin): Promise<number> {
  const row = await insert(tx, { ...event, ...originFor(event.org, origin) });
  tx.notifyLogGrowth(event.org, event.type);
  return row.id;
}

/**
 * Like {@link insertEvent}, for a caller that must still have its rights.
 *
 * On PostgreSQL a change of these rights waits for the end of this transaction, or this statement for the end of that transaction. So
 * the event of a revocation has a greater id than every event that was written with the revoked rights.
 *
 * @throws LostStanding if the caller no longer has its rights.
 */
export async function insertEventWhile(
  tx: Transaction,
  event: NewEventOfCaller,
  origin: Origin,
): Promise<number> {
  try {
    const row = onlyRow(await tx.run(insertWhile(kindOf(event)), { ...paramsOf(event), ...origin }));
    tx.notifyLogGrowth(event.org, event.type);
    return row.id;
  } catch (error) {
    const missing = error instanceof DatabaseError ? error.missing : undefined;
    if (missing === 'org') throw new LostStanding('presence');
    if (missing === 'type') throw new LostStanding('role');
    throw error;
  }
}

/** A caller that was removed or demoted since it was admitted. */
export class LostStanding extends Error {
  override readonly name = 'LostStanding';
  readonly of: 'presence' | 'role';

  constructor(of: 'presence' | 'role') {
    super(`The caller has lost its ${of}.`);
    this.of = of;
  }
}

/**
 * Counts the events after `afterId` that the reader may see: at most `LIMITS.unreadMost`, among the newest
 * `LIMITS.unreadLookedAt` events of the organisation.
 *
 * @param types the types to count.
 */
export async function countUnreadEvents(
  db: Runner,
  reader: Reader,
  afterId: number,
  types: readonly string[],
): Promise<number> {
  return (await unreadAfter(db, { ...reader, afterId, types })).events;
}

/** Events, regardless of visibility. */
export const events = lookupIn('events');

/** The id of the organisation's newest event, or 0 if there is none. */
export async function newestEventId(db: Runner, org: string): Promise<number> {
  return (await newestEvent(db, { org }))?.id ?? 0;
}
