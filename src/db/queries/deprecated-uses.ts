/** Uses of deprecated features, by organisation, caller and day. */
import { sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { DeprecatedUseRow } from '../rows.ts';
import { rowsBeforeIn } from './shared/owned.ts';
import { purgeOldest } from './shared/purging.ts';

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

/**
 * Adds counts to their rows, in one statement.
 *
 * @param uses at most one for each organisation, day, name and caller, sorted in the same way by all instances, so that they
 *   cannot deadlock.
 */
export const addDeprecatedUses = write.many<DeprecatedUse>(
  'deprecatedUses.add',
  COLUMNS,
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

export const deprecatedUsesBefore = rowsBeforeIn('deprecatedUses');

/** Deletes those of the `limit` oldest rows whose day began before a given time. Returns their number. */
export const purgeDeprecatedUses = purgeOldest('deprecatedUses.purge', ({ deprecatedUses }) => ({
  table: deprecatedUses,
  at: deprecatedUses.day,
}));
