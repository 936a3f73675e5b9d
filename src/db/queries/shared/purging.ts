/** Retention: queries that delete old rows, a limited number at a time. */
import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../database.ts';
import { and, asc, lt, sql } from '../../drizzle/index.ts';
import { asStored, type Builder, type Preparable, type Statement, statement } from '../../statement.ts';
import type { Tables } from '../../tables.ts';
import type { Owned, OwnedTable } from './owned.ts';

interface Purged {
  readonly org: string;
  readonly id: number;
}

type PurgeStatement<Row> = Statement<{ before: Date; limit: number }, readonly Row[]>;

/** Deletes up to `limit` of the rows that are older than `before`. Returns their number. */
type Purge = (tx: Transaction, before: Date, limit: number) => Promise<number>;

/** Returns a query that runs a statement which deletes rows, and returns their number. */
export const counting =
  (purge: PurgeStatement<unknown>): Purge =>
  async (tx, before, limit) =>
    (await tx.run(purge, { before, limit })).length;

/**
 * Declares a statement that deletes those of the `limit` oldest rows that are older than a time, for tables whose ids are in the order of
 * their timestamps, or nearly.
 */
export const oldestStatement = <Name extends Owned>(
  name: string,
  rows: Name,
  time: (table: Tables[Name]) => PgColumn,
): PurgeStatement<Purged> =>
  statement(name, ({ orm, tables, dialect }, p) => {
    const table: OwnedTable = tables[rows];
    // Selects the oldest rows whether or not they are old enough, since a condition on time would scan the whole table.
    const oldest = orm
      .select({ id: table.id, at: time(tables[rows]) })
      .from(table)
      .orderBy(asc(table.id))
      .limit(p.limit)
      .as('oldest');
    const old = orm.select({ id: oldest.id }).from(oldest).where(lt(oldest.at, p.before));
    const purge = orm
      .delete(table)
      .where(dialect.amongFew(table.id, old.getSQL()))
      .returning({ org: table.org, id: table.id });
    // These columns have these types in every table that has them.
    return purge as Preparable<readonly Purged[]>;
  });

/** Returns a query that runs such a statement. */
export const purgeOldest = <Name extends Owned>(
  name: string,
  rows: Name,
  time: (table: Tables[Name]) => PgColumn,
): Purge => counting(oldestStatement(name, rows, time));

type Identified = PgTable & { readonly id: PgColumn };

/** Tables whose rows have an id. */
type WithId = { [Name in keyof Tables]: Tables[Name] extends Identified ? Name : never }[keyof Tables];

/**
 * Returns a query that deletes rows whose own time is before a given one.
 *
 * @param time the column with the time, such as that of the expiry.
 * @param only other conditions of rows to delete.
 */
export const purgeByTime = <Name extends WithId>(
  name: string,
  rows: Name,
  time: (table: Tables[Name]) => PgColumn,
  only: (tables: Tables, orm: Builder['orm']) => readonly SQL[] = () => [],
): Purge =>
  counting(
    statement(name, ({ orm, tables, dialect }, p) => {
      const table: Identified = tables[rows];
      const at = time(tables[rows]);
      const before = asStored(p.before, at);
      const old = orm
        .select({ id: table.id })
        .from(table)
        .where(and(lt(at, before), ...only(tables, orm)))
        // In the order of an index on the time. Otherwise PostgreSQL, which assumes that a third of all rows are old, may read the table.
        .orderBy(asc(at))
        .limit(p.limit);
      // Checks the time again, because another process may have changed it since the row was selected. The expression prevents that an
      // index on the time is used for it, which would read all old rows for each batch.
      const isStillOld = lt(sql`coalesce(${at}, ${at})`, before);
      return orm
        .delete(table)
        .where(and(dialect.amongFew(table.id, old.getSQL()), isStillOld))
        .returning({ id: table.id });
    }),
  );
