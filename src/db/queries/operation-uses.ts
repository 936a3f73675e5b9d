/** How often operations were used, by organisation and day. */
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

/** Up to `limit` uses of an organisation that precede an id, newest first, or follow it when they are read backwards. */
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
 * Adds to what was counted before, in one statement.
 *
 * @param uses each organisation, day, door and operation once, and in an order that all instances keep, so that none waits for another
 *   that waits for it.
 */
export async function addOperationUses(tx: Transaction, uses: readonly OperationUse[]): Promise<void> {
  await tx.run(add(uses.length), numberedParams(uses));
}

/** Deletes those of the `limit` oldest rows whose day began before a time. Gives how many they were. */
export async function purgeOperationUses(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
