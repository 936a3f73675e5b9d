import type { Column, Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { getTableName, sql } from '../drizzle/index.ts';

/** The driver sends a list as one array; the cast tells the server its type where the context does not. */
const array = (list: Placeholder, column: Column) => sql`${list}::${sql.raw(column.getSQLType())}[]`;

const anyOf = (column: Column, list: Placeholder): SQL => sql`${column} = any(${array(list, column)})`;

const sequenceOf = (id: Column): SQL =>
  sql.raw(`pg_get_serial_sequence('${getTableName(id.table)}', '${id.name}')`);

/** An identity column does not notice ids that rows bring along. */
const continueAfterLargest = (id: Column): SQL<number | null> =>
  sql`setval(${sequenceOf(id)}, max(${id}))`.mapWith(Number);

/** The first half of the keys of advisory locks that give turns, so that they are not taken for other locks. */
const TURNS = 1;

/** The lock that gives the turns. */
const turn = (key: Placeholder): SQL =>
  sql`pg_advisory_xact_lock(${sql.raw(String(TURNS))}, hashtext(${key}))`;

/** A scalar subquery that refers to no row is run once, before the rows: with `exists` it could become a join. */
const inTurn = (key: Placeholder): SQL => sql`(select true from ${turn(key)})`;

/**
 * A lock of the transaction is let go of after what it wrote can be seen, so ids become visible in their order. The select
 * list is evaluated for the row that the lock gives, and so after it.
 */
const nextIdInTurn = (id: Column, key: Placeholder): SQL =>
  sql`(select nextval(${sequenceOf(id)}) from ${turn(key)})`;

/**
 * Ranges in place of equality: a column that is known to be constant says nothing about order, and is left out of it. The rows
 * of columns say where in the index the walk begins and ends. They are taken to be a ninth of the table, which is much, so that
 * to walk the index and stop looks better than to sort.
 *
 * Of a table that has not been analysed yet one in 200 rows is taken to be in a partial index. That the first column lies between
 * a value and itself makes it fewer still, so that no sort pays there either.
 */
const inIndex: Dialect['inIndex'] = (prefix, id, { after, before, isPartial } = {}) => {
  const [first] = prefix;
  if (!first) throw new RangeError('A place in an index has a first column.');
  const listed = (parts: readonly SQLWrapper[]) =>
    sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    );
  const columns = prefix.map(([column]) => column);
  const values = prefix.map(([, value]) => value);
  const terms = isPartial ? [sql`${first[0]} >= ${first[1]}`, sql`${first[0]} <= ${first[1]}`] : [];
  // Of one column alone both ends together would be taken for a narrow range.
  const from = after ?? (prefix.length === 1 && !isPartial ? sql`0` : undefined);
  if (from) terms.push(sql`(${listed([...columns, id])}) > (${listed([...values, from])})`);
  else if (prefix.length > 1) terms.push(sql`(${listed(columns)}) >= (${listed(values)})`);
  if (before) terms.push(sql`(${listed([...columns, id])}) < (${listed([...values, before])})`);
  else if (prefix.length > 1 || !isPartial) terms.push(sql`(${listed(columns)}) <= (${listed(values)})`);
  return sql.join(terms, sql` and `);
};

export const postgresDialect: Dialect = {
  inIndex,
  orderInIndex: (prefix, direction, ...columns) =>
    [...prefix.map(([column]) => column), ...columns].map(direction),
  steady: (parameter) => sql`${parameter}`,
  anyOf,
  anyOfUnlessNull: (column, list) => sql`(${array(list, column)} is null or ${anyOf(column, list)})`,
  eachText: (list) => sql`unnest(${list}::text[]) as wanted(text)`,
  each: (list) => sql`unnest(${list}::bigint[]) as wanted(id)`,
  // As an array, because the planner guesses a tenth of the table for a limit that it does not know yet, and then
  // prefers to read all of it. An array is taken for ten ids.
  amongFew: (column, subquery) => sql`${column} = any(array(${subquery}))`,
  inTurn,
  held: sql`for share`,
  continueAfterLargest,
  nextIdInTurn,
};
