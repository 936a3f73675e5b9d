/** Who used what is deprecated, by organisation and day. */
import { type Runner, statementPerSize, type Transaction } from '../database.ts';
import { desc, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import { numberedParams, numberedPlaceholders } from '../numbered.ts';
import type { DeprecatedUseRow } from '../rows.ts';
import { purgeStatement } from './purging.ts';

export type DeprecatedUse = Omit<DeprecatedUseRow, 'id'>;

const before = listStatement<{ org: string; fromId: number; limit: number }, readonly DeprecatedUseRow[]>(
  'deprecatedUses.before',
  ({ orm, tables: { deprecatedUses }, dialect }, p) =>
    orm
      .select()
      .from(deprecatedUses)
      .where(dialect.inIndex([[deprecatedUses.org, p.org]], deprecatedUses.id, { before: p.fromId }))
      .orderBy(...dialect.orderInIndex([[deprecatedUses.org, p.org]], desc, deprecatedUses.id))
      .limit(p.limit),
);

const COLUMNS = [
  'org',
  'day',
  'name',
  'actorId',
  'credentials',
  'credentialsId',
  'uses',
  'lastUsedAt',
] as const;

/** Parameters: numbered columns. */
const add = statementPerSize<Record<string, unknown>, unknown>(
  'deprecatedUses.add',
  ({ orm, tables: { deprecatedUses } }, size) =>
    orm
      .insert(deprecatedUses)
      .values(numberedPlaceholders(COLUMNS, size))
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
          // Instances write what they counted in no order of time.
          lastUsedAt: sql`case when excluded.last_used_at > ${deprecatedUses.lastUsedAt} then excluded.last_used_at
            else ${deprecatedUses.lastUsedAt} end`,
        },
      }),
);

const purge = purgeStatement('deprecatedUses.purge', ({ deprecatedUses }) => ({
  table: deprecatedUses,
  at: deprecatedUses.day,
}));

/** Up to `limit` uses of an organisation that precede an id, newest first, or follow it when they are read backwards. */
export function deprecatedUsesBefore(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly DeprecatedUseRow[]> {
  return db.run(before[way], { org, fromId, limit });
}

/**
 * Adds to what was counted before, in one statement.
 *
 * @param uses each organisation, day, name and caller once, and in an order that all instances keep, so that none waits for another
 *   that waits for it.
 */
export async function addDeprecatedUses(tx: Transaction, uses: readonly DeprecatedUse[]): Promise<void> {
  await tx.run(add(uses.length), numberedParams(uses));
}

/** Deletes those of the `limit` oldest rows whose day began before a time. Gives how many they were. */
export async function purgeDeprecatedUses(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
