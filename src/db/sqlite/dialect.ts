import type { Column, DriverValueEncoder, Placeholder, SQL } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { getTableName, sql } from '../drizzle/index.ts';
import type { Term, WordQuery } from '../words.ts';
import { majorUnitsColumn, sqliteWords } from './columns.ts';

/** SQLite has no arrays, so a list is passed as JSON in one parameter: its length does not change the statement. */
const asJson: DriverValueEncoder<unknown, string | null> = {
  mapToDriverValue: (list) => (list === null ? null : JSON.stringify(list)),
};

const jsonList = (list: Placeholder) => sql.param(list, asJson);

const anyOf = (column: Column, list: Placeholder): SQL =>
  sql`${column} in (select value from json_each(${jsonList(list)}))`;

/** Plain comparisons suffice: without statistics SQLite chooses the index with the most compared columns. */
const inIndex: Dialect['inIndex'] = (prefix, id, { after, before } = {}) => {
  const terms = prefix.map(([column, value]) => sql`${column} = ${value}`);
  if (after) terms.push(sql`${id} > ${after}`);
  if (before) terms.push(sql`${id} < ${before}`);
  return sql.join(terms, sql` and `);
};

/**
 * Tokens as they are stored: each begins with the token of the organisation, which is the first of the list. FTS5 merges the rows of all
 * tokens that begin with a prefix before it looks at other terms, so these must be tokens of one organisation. The letter after the
 * hexadecimal digits of the organisation is not one, so no token begins with that of another organisation.
 */
export const storedTokens = ([organisation, ...tokens]: readonly string[]): string =>
  tokens.map((token) => `${organisation}${token}`).join(' ');

const asText: DriverValueEncoder<unknown, string> = {
  // This encoder is only used for parameters that are lists of tokens.
  mapToDriverValue: (tokens) => storedTokens(tokens as readonly string[]),
};

/** A query in FTS5 syntax. Tokens consist of letters and digits, so nothing needs to be escaped. */
function expression({ all: [organisation, ...terms], without }: WordQuery): string {
  const phrase = ({ token, isPrefix }: Term) => `"${organisation?.token}${token}"${isPrefix ? ' *' : ''}`;
  const conjunction = (some: readonly Term[]) => `(${some.map(phrase).join(' AND ')})`;
  return [terms, ...without].map(conjunction).join(' NOT ');
}

const asExpression: DriverValueEncoder<unknown, string> = {
  // This encoder is only used for parameters that are queries.
  mapToDriverValue: (query) => expression(query as WordQuery),
};

/** FTS5 finds rows in ascending or descending order of id. The organisation is part of the tokens, so it needs no condition. */
const matches: Dialect['matches'] = (searched, { query, fromId, limit }, way) => {
  const table = sqliteWords[searched];
  const [follows, direction] = way === 'forwards' ? ['<', 'desc'] : ['>', 'asc'];
  return sql`(select ${table.rowid} as id, 0 as collected from ${table}
    where ${table} match ${sql.param(query, asExpression)} and ${table.rowid} ${sql.raw(follows)} ${fromId}
    order by ${table.rowid} ${sql.raw(direction)} limit ${limit})`;
};

export const sqliteDialect: Dialect = {
  inIndex,
  // Without the prefix: SQLite does not recognise a value from an outer query as constant, and would sort the rows by it.
  orderInIndex: (_prefix, direction, ...columns) => columns.map(direction),
  ofOrganisation: (column, org) => sql`(${column} = ${org}) is true`,
  sameOrganisation: () => sql`true`,
  inMajorUnits: (amount) =>
    sql<number>`${sql.identifier(getTableName(amount.table))}.${majorUnitsColumn(amount)}`.mapWith(Number),
  anyOf,
  anyOfUnlessNull: (column, list) => sql`(${jsonList(list)} is null or ${anyOf(column, list)})`,
  each: (list) => sql`(select value as id from json_each(${jsonList(list)})) as wanted`,
  eachText: (list) => sql`(select value as text from json_each(${jsonList(list)})) as wanted`,
  eachOf: (subquery) => sql`(${subquery}) as wanted`,
  rowsAsJson: (columns, table, condition) =>
    sql`(select json_group_array(json_array(${sql.join([...columns], sql`, `)})) from ${table} where ${condition})`,
  amongFew: (column, subquery) => sql`${column} in (${subquery})`,
  hasLateral: false,
  orgLock: () => sql`true`,
  held: sql``,
  heldAlone: sql``,
  // `autoincrement` continues after the largest id that ever existed.
  continueAfterLargest: (id) => sql`max(${id})`,
  // There is one writer at a time, and `autoincrement` continues after explicit ids.
  nextId: (id) =>
    sql`(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = ${sql.raw(`'${getTableName(id.table)}'`)})`.mapWith(
      Number,
    ),
  nextIdUnderOrgLock: () => sql`null`,
  words: sqliteWords,
  wordsOf: (searched, _org, id) => sql`${sqliteWords[searched].rowid} = ${id}`,
  tokens: (list) => sql`${sql.param(list, asText)}`,
  matches,
};
