/** The start of each organisation's log, since old events are purged. */

import type { Runner, Transaction } from '../database.ts';
import { eq, sql } from '../drizzle/index.ts';
import { read } from '../query.ts';
import { statement } from '../statement.ts';
import { isRow } from './shared/owned.ts';
import { oldestStatement } from './shared/purging.ts';

const startOf = read.first<{ org: string }, { purgedTo: number }>(
  'logStarts.of',
  ({ orm, tables: { logStarts } }, p) =>
    orm.select({ purgedTo: logStarts.purgedTo }).from(logStarts).where(eq(logStarts.org, p.org)),
);

const startAndEvent = read.only<
  { org: string; id: number },
  { purgedTo: number | null; createdAt: Date | null }
>('logStarts.andEvent', ({ orm, tables: { logStarts, events } }, p) =>
  orm
    .select({ purgedTo: logStarts.purgedTo, createdAt: events.createdAt })
    .from(sql`(select 1) as one`)
    .leftJoin(logStarts, eq(logStarts.org, p.org))
    .leftJoin(events, isRow(events, p)),
);

const purge = oldestStatement('logStarts.purge', 'events', ({ createdAt }) => createdAt);

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

/** The id up to which an organisation's events may have been purged; 0 if none were. */
export async function logStart(db: Runner, org: string): Promise<number> {
  return (await startOf(db, { org }))?.purgedTo ?? 0;
}

/** What an organisation's log holds of an event at one moment. */
export interface EventInLog {
  /** The id up to which events may have been purged; 0 if none were. */
  readonly start: number;
  /** When the event was recorded; undefined if the log does not have it. */
  readonly createdAt: Date | undefined;
}

/** Looks for an event and the start of its log, in one statement. */
export async function findInLog(db: Runner, org: string, id: number): Promise<EventInLog> {
  const { purgedTo, createdAt } = await startAndEvent(db, { org, id });
  return { start: purgedTo ?? 0, createdAt: createdAt ?? undefined };
}

/** Deletes those of the `limit` oldest events that were recorded before a given time. Returns their number. */
export async function purgeEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const purged = await tx.run(purge, { before, limit });
  for (const [org, rows] of Map.groupBy(purged, (row) => row.org)) {
    await tx.run(move, { org, purgedTo: Math.max(...rows.map(({ id }) => id)) });
  }
  return purged.length;
}
