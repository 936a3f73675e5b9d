import type { Column, DriverValueEncoder, Placeholder, SQL } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { getTableName, sql } from '../drizzle/index.ts';
import { PART_SIZES, partToken, type Term, type WordQuery, wordTables } from '../words.ts';
import { inMajorUnits, postgresVocabulary } from './columns.ts';

/** The driver sends a list as one array. The cast determines its type where the context does not. */
const array = (list: Placeholder, column: Column) => sql`${list}::${sql.raw(column.getSQLType())}[]`;

const anyOf = (column: Column, list: Placeholder): SQL => sql`${column} = any(${array(list, column)})`;

const sequenceOf = (id: Column): SQL =>
  sql.raw(`pg_get_serial_sequence('${getTableName(id.table)}', '${id.name}')`);

/** An identity column does not advance for rows that were inserted with explicit ids. */
const continueAfterLargest = (id: Column): SQL<number | null> =>
  sql`setval(${sequenceOf(id)}, max(${id}))`.mapWith(Number);

/** The first half of the keys of the advisory locks of organisations, which keeps them apart from other locks. */
const ORG_LOCKS = 1;

const lock = (org: Placeholder): SQL =>
  sql`pg_advisory_xact_lock(${sql.raw(String(ORG_LOCKS))}, hashtext(${org}))`;

/** An uncorrelated scalar subquery runs once, before rows are read. With `exists` it could become a join. */
const orgLock = (org: Placeholder): SQL => sql`(select true from ${lock(org)})`;

/**
 * A transaction releases its lock after its writes are visible, so ids become visible in ascending order. The select
 * list is evaluated for the row that the lock function returns, and therefore after the lock is held.
 */
const nextIdUnderOrgLock = (id: Column, org: Placeholder): SQL =>
  sql`(select nextval(${sequenceOf(id)}) from ${lock(org)})`;

/**
 * Compares the first column with an array of one value. If it were compared with the value itself, the planner would treat the column as
 * constant and drop it from the order; then it could read `order by org, id` from the primary key, across the rows of all organisations.
 */
const inIndex: Dialect['inIndex'] = ([first, ...others], id, { after, before } = {}) => {
  if (!first) throw new RangeError('The prefix of an index needs at least one column.');
  const [column, value] = first;
  const terms = [sql`${column} = any(array[${value}]::${sql.raw(column.getSQLType())}[])`];
  for (const [column, value] of others) terms.push(sql`${column} = ${value}`);
  if (after) terms.push(sql`${id} > ${after}`);
  if (before) terms.push(sql`${id} < ${before}`);
  return sql.join(terms, sql` and `);
};

const words = wordTables(postgresVocabulary);

/** A term in `tsquery` syntax. Tokens consist of letters and digits, so nothing needs to be escaped. */
const lexeme = ({ token, isPrefix }: Term) => `'${token}'${isPrefix ? ':*' : ''}`;

/** A query in `tsquery` syntax. */
const queryText = ({ all, without }: WordQuery) =>
  [...all.map(lexeme), ...without.map((group) => `!(${group.map(lexeme).join(' & ')})`)].join(' & ');

const asQuery: DriverValueEncoder<unknown, string> = {
  // This encoder is only used for parameters that are queries.
  mapToDriverValue: (query) => queryText(query as WordQuery),
};

const matches: Dialect['matches'] = (searched, { org, query, fromId, most, limit }, way) => {
  const { rowid, org: ofOrg, tokens } = words[searched];
  const table = words[searched];
  const isFollowing = sql`${rowid} ${sql.raw(way === 'forwards' ? '<' : '>')} ${fromId}`;
  const direction = sql.raw(way === 'forwards' ? 'desc' : 'asc');
  // `is true` keeps the planner from using an index for these conditions: it would scan all ids of the organisation as well, and
  // intersect them with the rows that have the words.
  return sql`(select id, collected from (
      select id, count(*) over () as collected from (
        select ${rowid} as id from ${table}
        where ${tokens} @@ ${sql.param(query, asQuery)}::tsquery and (${ofOrg} = ${org} and ${isFollowing}) is true
        limit ${most}) as found) as counted
    order by id ${direction} limit ${limit})`;
};

export const postgresDialect: Dialect = {
  inIndex,
  orderInIndex: (prefix, direction, ...columns) =>
    [...prefix.map(([column]) => column), ...columns].map(direction),
  ofOrganisation: (column, org) => sql`${column} = ${org}`,
  sameOrganisation: (column, org) => sql`${column} = ${org}`,
  inMajorUnits,
  anyOf,
  anyOfUnlessNull: (column, list) => sql`(${array(list, column)} is null or ${anyOf(column, list)})`,
  eachText: (list) => sql`unnest(${list}::text[]) as wanted(text)`,
  each: (list) => sql`unnest(${list}::bigint[]) as wanted(id)`,
  // Estimated as ten ids, like `amongFew`.
  eachOf: (subquery) => sql`unnest(array(${subquery})) as wanted(id)`,
  rowsAsJson: (columns, table, condition) =>
    sql`(select coalesce(json_agg(json_build_array(${sql.join([...columns], sql`, `)})), '[]')::text from ${table} where ${condition})`,
  // An array, because the planner estimates a limit that is a parameter as a tenth of the rows, and then prefers to read
  // the whole table. It estimates an array as ten ids.
  amongFew: (column, subquery) => sql`${column} = any(array(${subquery}))`,
  hasLateral: true,
  nextId: (id) => sql`nextval(${sequenceOf(id)})`.mapWith(Number),
  orgLock,
  held: sql`for share`,
  heldAlone: sql`for update`,
  continueAfterLargest,
  nextIdUnderOrgLock,
  words,
  wordsOf: (searched, org, id) => sql`(${words[searched].org} = ${org} and ${words[searched].rowid} = ${id})`,
  tokens: (list, id) => {
    const parts = PART_SIZES.postgres.map(
      (size) =>
        sql`${sql.raw(`'${partToken(size, 0).slice(0, -1)}'`)} || ${id}::bigint / ${sql.raw(String(size))}`,
    );
    return sql`array_to_tsvector(${list}::text[] || array[${sql.join(parts, sql`, `)}])`;
  },
  matches,
};
