/** The vocabulary with which `tables.ts` declares columns, for SQLite. */
import type { Column } from 'drizzle-orm';
import { defineTables } from '../../generated/tables.ts';
import { sql } from '../drizzle/index.ts';
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from '../drizzle/sqlite.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Tables } from '../tables.ts';
import { type WordTables, wordTables } from '../words.ts';

type ForeignKey = Parameters<typeof foreignKey>[0];

/** `autoincrement`, so that the id of a deleted row is not reused: cursors and logs still contain it. */
const id = () => integer('id').primaryKey({ autoIncrement: true });

/**
 * The name of the generated column that contains an amount in major units. SQLite compares a position of a list with an index of
 * columns, but not with an index of expressions: it would read all rows with an equal amount again for each page. The column is virtual,
 * so that only indexes store its values. Only the migrations declare it, since drizzle would select it with the other columns.
 */
export const majorUnitsColumn = ({ name }: Column) => sql.identifier(`${name}_in_major_units`);

const sqliteColumns = {
  table: sqliteTable,
  index,
  uniqueIndex,
  primaryKey,
  check,
  text,
  integer: (name: string) => integer(name, { mode: 'number' }),
  id,
  /** A file is not distributed, so keys, unique indexes and references do not contain the organisation. */
  tenantId: id,
  tenantKey: () => [],
  tenantUniqueIndex: uniqueIndex,
  tenantReference: ({ columns: [column], foreignColumns: [foreignColumn] }: ForeignKey) =>
    foreignKey({ columns: [column], foreignColumns: [foreignColumn] }),
  /** Milliseconds since 1970, UTC. */
  timestamp: (name: string) => integer(name, { mode: 'timestamp_ms' }),
  json: <T>(name: string) => text(name, { mode: 'json' }).$type<T>(),
  inMajorUnits: (amount: Column) => sql`${majorUnitsColumn(amount)}`,
};

/**
 * Queries are typed once, on PostgreSQL's types. drizzle's SQLite builders have the same methods under the same
 * names (the declarations in `tables.ts` and the queries use no others), but their types are unrelated, hence
 * the cast through `unknown`. The only other cast between the engines' types is that of the drizzle instance (`engine.ts`);
 * the tests run every query on both engines and compare the migrated schemas.
 */
const sqliteVocabulary = sqliteColumns as unknown as Vocabulary;

export const sqliteTables: Tables = defineTables(sqliteVocabulary);

/** The FTS5 tables, whose columns have no types. */
export const sqliteWords: WordTables = wordTables(sqliteVocabulary);
