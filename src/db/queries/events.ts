import { and, count, eq, gt, max } from 'drizzle-orm';
import { type Runner, statement, type Transaction } from '../database.ts';
import type { EventRow } from '../rows.ts';

interface NewEvent {
  readonly org: string;
  readonly type: string;
  readonly actorId: number | null;
  readonly subjectType: string;
  readonly subjectId: number;
  readonly data: EventRow['data'];
  readonly createdAt: Date;
}

const insert = statement<NewEvent, readonly { id: number }[]>(
  'events.insert',
  ({ orm, tables: { events } }, p) =>
    orm
      .insert(events)
      .values({
        org: p.org,
        type: p.type,
        actorId: p.actorId,
        subjectType: p.subjectType,
        subjectId: p.subjectId,
        data: p.data,
        createdAt: p.createdAt,
      })
      .returning({ id: events.id }),
);

const countAfter = statement<{ org: string; afterId: number }, readonly { events: number }[]>(
  'events.countAfter',
  ({ orm, tables: { events } }, p) =>
    orm
      .select({ events: count() })
      .from(events)
      .where(and(eq(events.org, p.org), gt(events.id, p.afterId))),
);

const newest = statement<{ org: string }, readonly { id: number | null }[]>(
  'events.newest',
  ({ orm, tables: { events } }, p) =>
    orm
      .select({ id: max(events.id) })
      .from(events)
      .where(eq(events.org, p.org)),
);

/** Writes one line of the log, in the transaction of the change that it tells of. Gives its id. */
export async function insertEvent(tx: Transaction, event: NewEvent): Promise<number> {
  const [row] = await tx.run(insert, event);
  if (!row) throw new Error('An inserted event gave no id.');
  return row.id;
}

/** How many events of the organisation came after this one. */
export async function countEventsAfter(db: Runner, org: string, afterId: number): Promise<number> {
  return (await db.run(countAfter, { org, afterId }))[0]?.events ?? 0;
}

/** Id of the organisation's newest event, or 0 where there is none. */
export async function newestEventId(db: Runner, org: string): Promise<number> {
  return (await db.run(newest, { org }))[0]?.id ?? 0;
}
