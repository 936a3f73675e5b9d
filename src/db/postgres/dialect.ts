import { type Column, getTableName, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';

/** The driver sends a list as one array; the cast tells the server its type where the context does not. */
const array = (list: Placeholder, column: Column) => sql`${list}::${sql.raw(column.getSQLType())}[]`;

const anyOf = (column: Column, list: Placeholder): SQL => sql`${column} = any(${array(list, column)})`;

/** An identity column does not notice ids that rows bring along. */
const continueAfterLargest = (id: Column): SQL<number | null> =>
  sql`setval(pg_get_serial_sequence(${sql.raw(`'${getTableName(id.table)}', '${id.name}'`)}), max(${id}))`.mapWith(
    Number,
  );

export const postgresDialect: Dialect = {
  steady: (parameter) => sql`${parameter}`,
  anyOf,
  anyOfUnlessNull: (column, list) => sql`(${array(list, column)} is null or ${anyOf(column, list)})`,
  each: (list) => sql`unnest(${list}::bigint[]) as wanted(id)`,
  // As an array, because the planner guesses a tenth of the table for a limit that it does not know yet, and then
  // prefers to read all of it. An array is taken for ten ids.
  amongFew: (column, subquery) => sql`${column} = any(array(${subquery}))`,
  continueAfterLargest,
};
