/** How often operations were used, by organisation and day. */
import { asStored, type Runner, statement, statementPerSize, type Transaction } from '../database.ts';
import { asc, desc, inArray, lt, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { OperationUseRow } from '../rows.ts';

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

/** Parameters: for each use `org0`, `day0`, `door0`, and so on. */
const add = statementPerSize<Record<string, unknown>, unknown>(
  'operationUses.add',
  ({ orm, tables: { operationUses } }, size) =>
    orm
      .insert(operationUses)
      .values(
        Array.from({ length: size }, (_, index) => ({
          org: sql.placeholder(`org${index}`),
          day: sql.placeholder(`day${index}`),
          door: sql.placeholder(`door${index}`),
          operation: sql.placeholder(`operation${index}`),
          requests: sql.placeholder(`requests${index}`),
          errors: sql.placeholder(`errors${index}`),
          points: sql.placeholder(`points${index}`),
        })),
      )
      .onConflictDoUpdate({
        target: [operationUses.org, operationUses.day, operationUses.door, operationUses.operation],
        set: {
          requests: sql`${operationUses.requests} + excluded.requests`,
          errors: sql`${operationUses.errors} + excluded.errors`,
          points: sql`${operationUses.points} + excluded.points`,
        },
      }),
);

const purge = statement<{ before: Date; limit: number }, readonly { id: number }[]>(
  'operationUses.purge',
  ({ orm, tables: { operationUses } }, p) => {
    const oldest = orm
      .select({ id: operationUses.id, day: operationUses.day })
      .from(operationUses)
      .orderBy(asc(operationUses.id))
      .limit(p.limit)
      .as('oldest');
    const old = orm
      .select({ id: oldest.id })
      .from(oldest)
      .where(lt(oldest.day, asStored(p.before, operationUses.day)));
    return orm
      .delete(operationUses)
      .where(inArray(operationUses.id, old))
      .returning({ id: operationUses.id });
  },
);

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
  const params: Record<string, unknown> = {};
  for (const [index, use] of uses.entries()) {
    for (const [name, value] of Object.entries(use)) params[`${name}${index}`] = value;
  }
  await tx.run(add(uses.length), params);
}

/** Deletes those of the `limit` oldest rows whose day began before a time. Gives how many they were. */
export async function purgeOperationUses(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
