/** Usage counts of operations, by organisation and day. */
import { sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { OperationUseRow } from '../rows.ts';
import { rowsBeforeIn } from './shared/owned.ts';
import { purgeOldest } from './shared/purging.ts';

export type OperationUse = Omit<OperationUseRow, 'id'>;

const COLUMNS = ['org', 'day', 'door', 'operation', 'requests', 'errors', 'points'] as const;

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, door and operation, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export const addOperationUses = write.many<OperationUse>(
  'operationUses.add',
  COLUMNS,
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

export const operationUsesBefore = rowsBeforeIn('operationUses');

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export const purgeOperationUses = purgeOldest('operationUses.purge', ({ operationUses }) => ({
  table: operationUses,
  at: operationUses.day,
}));
