/** Uses of deprecated features, by organisation, caller and day. */
import { statementPerSize, type Transaction } from '../database.ts';
import { sql } from '../drizzle/index.ts';
import { numberedParams, numberedPlaceholders } from '../numbered.ts';
import type { DeprecatedUseRow } from '../rows.ts';
import { rowsBeforeIn } from './owned.ts';
import { purgeOldest } from './purging.ts';

export type DeprecatedUse = Omit<DeprecatedUseRow, 'id'>;

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
          // Instances write their counts in no particular order.
          lastUsedAt: sql`case when excluded.last_used_at > ${deprecatedUses.lastUsedAt} then excluded.last_used_at
            else ${deprecatedUses.lastUsedAt} end`,
        },
      }),
);

/** Up to `limit` entries of an organisation that precede an id, newest first; backwards, those that follow it. */
export const deprecatedUsesBefore = rowsBeforeIn('deprecatedUses');

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, name and caller, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export async function addDeprecatedUses(tx: Transaction, uses: readonly DeprecatedUse[]): Promise<void> {
  await tx.run(add(uses.length), numberedParams(uses));
}

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export const purgeDeprecatedUses = purgeOldest('deprecatedUses.purge', ({ deprecatedUses }) => ({
  table: deprecatedUses,
  at: deprecatedUses.day,
}));
