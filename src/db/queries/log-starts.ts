/** Where logs begin, since their oldest events are deleted in time. */

import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { asc, eq, inArray, lt, sql } from '../drizzle/index.ts';

const startOf = statement<{ org: string }, readonly { purgedTo: number }[]>(
  'logStarts.of',
  ({ orm, tables: { logStarts } }, p) =>
    orm.select({ purgedTo: logStarts.purgedTo }).from(logStarts).where(eq(logStarts.org, p.org)),
);

const purge = statement<{ before: Date; limit: number }, readonly { org: string; id: number }[]>(
  'logStarts.purge',
  ({ orm, tables: { events } }, p) => {
    // The oldest few are looked at whether or not they are old enough: a condition on time would search all of the log.
    const oldest = orm
      .select({ id: events.id, createdAt: events.createdAt })
      .from(events)
      .orderBy(asc(events.id))
      .limit(p.limit)
      .as('oldest');
    const old = orm
      .select({ id: oldest.id })
      .from(oldest)
      .where(lt(oldest.createdAt, asStored(p.before, events.createdAt)));
    return orm.delete(events).where(inArray(events.id, old)).returning({ org: events.org, id: events.id });
  },
);

const move = statement<{ org: string; purgedTo: number }, unknown>(
  'logStarts.move',
  ({ orm, tables: { logStarts } }, p) =>
    orm
      .insert(logStarts)
      .values({ org: p.org, purgedTo: p.purgedTo })
      .onConflictDoUpdate({
        target: logStarts.org,
        set: {
          purgedTo: sql`case when excluded.purged_to > ${logStarts.purgedTo} then excluded.purged_to else ${logStarts.purgedTo} end`,
        },
      }),
);

/** The id up to which an organisation's events may have been deleted: 0 where none were. */
export async function logStart(db: Runner, org: string): Promise<number> {
  return (await db.run(startOf, { org }))[0]?.purgedTo ?? 0;
}

/** Deletes those of the `limit` oldest events that were recorded before a moment. Gives how many they were. */
export async function purgeEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const purged = await tx.run(purge, { before, limit });
  for (const [org, rows] of Map.groupBy(purged, (row) => row.org)) {
    await tx.run(move, { org, purgedTo: Math.max(...rows.map(({ id }) => id)) });
  }
  return purged.length;
}
