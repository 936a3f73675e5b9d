/** Retention: statements that delete old rows, a limited number at a time. */
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { asStored, type Statement, statement } from '../database.ts';
import { asc, inArray, lt } from '../drizzle/index.ts';
import type { Preparable } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** The columns that {@link purgeStatement} needs. The types of the tables differ otherwise. */
type Aging = PgTable & { readonly id: PgColumn; readonly org: PgColumn };

export interface Purged {
  readonly org: string;
  readonly id: number;
}

/**
 * Declares a statement that deletes those of the `limit` oldest rows that are older than a time, for tables whose ids are in the order of
 * their timestamps, or nearly.
 */
export function purgeStatement(
  name: string,
  of: (tables: Tables) => { readonly table: Aging; readonly at: PgColumn },
): Statement<{ before: Date; limit: number }, readonly Purged[]> {
  return statement(name, ({ orm, tables }, p) => {
    const { table, at } = of(tables);
    // Selects the oldest rows whether or not they are old enough, since a condition on time would scan the whole table.
    const oldest = orm
      .select({ id: table.id, at })
      .from(table)
      .orderBy(asc(table.id))
      .limit(p.limit)
      .as('oldest');
    const old = orm
      .select({ id: oldest.id })
      .from(oldest)
      .where(lt(oldest.at, asStored(p.before, at)));
    const purge = orm.delete(table).where(inArray(table.id, old)).returning({ org: table.org, id: table.id });
    // These columns have these types in every table that has them.
    return purge as Preparable<readonly Purged[]>;
  });
}

/** Declares a statement that deletes up to `limit` rows whose own time, such as an expiry, is before a given one. */
export const purgeByTime = (
  name: string,
  of: (tables: Tables) => { readonly table: PgTable & { readonly id: PgColumn }; readonly at: PgColumn },
): Statement<{ before: Date; limit: number }, readonly unknown[]> =>
  statement(name, ({ orm, tables }, p) => {
    const { table, at } = of(tables);
    const old = orm
      .select({ id: table.id })
      .from(table)
      .where(lt(at, asStored(p.before, at)))
      .limit(p.limit);
    return orm.delete(table).where(inArray(table.id, old)).returning({ id: table.id });
  });
