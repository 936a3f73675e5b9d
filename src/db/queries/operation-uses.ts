/** Usage counts of operations, by organisation and day. */
import { type Runner, statementPerSize, type Transaction } from '../database.ts';
import { desc, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import { numberedParams, numberedPlaceholders } from '../numbered.ts';
import type { OperationUseRow } from '../rows.ts';
import { purgeStatement } from './purging.ts';

export type OperationUse = Omit<OperationUseRow, 'id'>;

const before = listStatement<{ org: string; fromId: number; limit: number }, readonly OperationUseRow[]>(
  'operationUses.before',
  ({ orm, tables: { operationUses }, dialect }, p) =>
    orm
      .select()
      .from(operationUses)
      .where(dialect.inIndex([[operationUses.org, p.org]], operationUses.id, { before: p.fromId }))
      .orderBy(...dialect.orderInIndex([[operationUses.org, p.org]], desc, operationUses.id))
      .limit(p.limit),
);

const COLUMNS = ['org', 'day', 'door', 'operation', 'requests', 'errors', 'points'] as const;

/** Parameters: numbered columns. */
const add = statementPerSize<Record<string, unknown>, unknown>(
  'operationUses.add',
  ({ orm, tables: { operationUses } }, size) =>
    orm
      .insert(operationUses)
      .values(numberedPlaceholders(COLUMNS, size))
      .onConflictDoUpdate({
        target: [operationUses.org, operationUses.day, operationUses.door, operationUses.operation],
        set: {
          requests: sql`${operationUses.requests} + excluded.requests`,
          errors: sql`${operationUses.errors} + excluded.errors`,
          points: sql`${operationUses.points} + excluded.points`,
        },
      }),
);

const purge = purgeStatement('operationUses.purge', ({ operationUses }) => ({
  table: operationUses,
  at: operationUses.day,
}));

/** Up to `limit` entries of an organisation that precede an id, newest first; backwards, those that follow it. */
export function operationUsesBefore(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly OperationUseRow[]> {
  return db.run(before[way], { org, fromId, limit });
}

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, door and operation, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export async function addOperationUses(tx: Transaction, uses: readonly OperationUse[]): Promise<void> {
  await tx.run(add(uses.length), numberedParams(uses));
}

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export async function purgeOperationUses(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
