/** Usage counts of operations and of deprecated features, by organisation and day. */
import { sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { DeprecatedUseRow, OperationUseRow } from '../rows.ts';
import { rowsIn } from './shared/owned.ts';
import { purgeByTime, purgeOldest } from './shared/purging.ts';

export type OperationUse = Omit<OperationUseRow, 'id'>;

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, door and operation, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export const addOperationUses = write.many<OperationUse>(
  'operationUses.add',
  ['org', 'day', 'door', 'operation', 'requests', 'errors', 'points'],
  ({ orm, tables: { operationUses } }, uses) =>
    orm
      .insert(operationUses)
      .values(uses)
      .onConflictDoUpdate({
        target: [operationUses.org, operationUses.day, operationUses.door, operationUses.operation],
        set: {
          requests: sql`${operationUses.requests} + excluded.requests`,
          errors: sql`${operationUses.errors} + excluded.errors`,
          points: sql`${operationUses.points} + excluded.points`,
        },
      }),
);

export const operationUsesBefore = rowsIn('operationUses', 'before');

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export const purgeOperationUses = purgeOldest('operationUses.purge', 'operationUses', ({ day }) => day);

interface CountBatch {
  /** A random id, unique per process and kind of counts. */
  readonly writer: string;
  /** The number of the batch, greater than those of earlier batches of the writer. */
  readonly batch: number;
  readonly now: Date;
}

/**
 * Records a batch, in the transaction that writes it.
 *
 * @returns false if an earlier attempt was committed, so that the batch must not be written again.
 */
export const recordCountBatch = write.any<CountBatch>(
  'countWriters.record',
  ({ orm, tables: { countWriters } }, p) =>
    orm
      .insert(countWriters)
      .values({ id: p.writer, batch: p.batch, writtenAt: p.now })
      .onConflictDoUpdate({
        target: countWriters.id,
        set: { batch: sql`excluded.batch`, writtenAt: sql`excluded.written_at` },
        setWhere: sql`${countWriters.batch} < excluded.batch`,
      })
      .returning({ id: countWriters.id }),
);

/** Deletes up to `limit` writers that have written nothing since a time. Returns their number. */
export const purgeCountWriters = purgeByTime(
  'countWriters.purge',
  'countWriters',
  ({ writtenAt }) => writtenAt,
);

export type DeprecatedUse = Omit<DeprecatedUseRow, 'id'>;

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, name and caller, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export const addDeprecatedUses = write.many<DeprecatedUse>(
  'deprecatedUses.add',
  ['org', 'day', 'name', 'actorId', 'credentials', 'credentialsId', 'uses', 'lastUsedAt'],
  ({ orm, tables: { deprecatedUses } }, uses) =>
    orm
      .insert(deprecatedUses)
      .values(uses)
      .onConflictDoUpdate({
        target: [
          deprecatedUses.org,
          deprecatedUses.day,
          deprecatedUses.name,
          deprecatedUses.actorId,
          deprecatedUses.credentials,
          deprecatedUses.credentialsId,
        ],
        set: {
          uses: sql`${deprecatedUses.uses} + excluded.uses`,
          // Instances write their counts in no particular order.
          lastUsedAt: sql`case when excluded.last_used_at > ${deprecatedUses.lastUsedAt} then excluded.last_used_at
            else ${deprecatedUses.lastUsedAt} end`,
        },
      }),
);

export const deprecatedUsesBefore = rowsIn('deprecatedUses', 'before');

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export const purgeDeprecatedUses = purgeOldest('deprecatedUses.purge', 'deprecatedUses', ({ day }) => day);
