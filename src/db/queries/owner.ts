/** The organisation of a row that the caller cannot see: to distinguish 403 from 404. */
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Runner, statement } from '../database.ts';
import { eq, sql } from '../drizzle/index.ts';
import type { Tables } from '../tables.ts';

/** Tables whose rows have an id and belong to an organisation. */
type Owned = {
  [Name in keyof Tables]: Tables[Name] extends { readonly id: PgColumn; readonly org: PgColumn }
    ? Name
    : never;
}[keyof Tables];

/** Returns a query for the organisation of a row by its id. It returns undefined if there is no such row. */
export function ownerIn(name: Owned): (db: Runner, id: number) => Promise<string | undefined> {
  const orgOf = statement<{ id: number }, readonly { org: string }[]>(
    `${name}.orgOf`,
    ({ orm, tables }, p) => {
      // The types of the tables differ; this is what they have in common.
      const table: PgTable & { readonly id: PgColumn; readonly org: PgColumn } = tables[name];
      return orm
        .select({ org: sql<string>`${table.org}` })
        .from(table)
        .where(eq(table.id, p.id));
    },
  );
  return async (db, id) => (await db.run(orgOf, { id }))[0]?.org;
}
