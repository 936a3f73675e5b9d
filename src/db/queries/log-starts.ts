/** The start of each organisation's log, since old events are purged. */

import type { Runner, Transaction } from '../database.ts';
import { eq, sql } from '../drizzle/index.ts';
import { read } from '../query.ts';
import { statement } from '../statement.ts';
import { oldestStatement } from './shared/purging.ts';

const startOf = read.first<{ org: string }, { purgedTo: number }>(
  'logStarts.of',
  ({ orm, tables: { logStarts } }, p) =>
    orm.select({ purgedTo: logStarts.purgedTo }).from(logStarts).where(eq(logStarts.org, p.org)),
);

const purge = oldestStatement('logStarts.purge', ({ events }) => ({ table: events, at: events.createdAt }));

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

/** Deletes those of the `limit` oldest events that were recorded before a given time. Returns their number. */
export async function purgeEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const purged = await tx.run(purge, { before, limit });
  for (const [org, rows] of Map.groupBy(purged, (row) => row.org)) {
    await tx.run(move, { org, purgedTo: Math.max(...rows.map(({ id }) => id)) });
  }
  return purged.length;
}
