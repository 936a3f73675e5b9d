/** The vocabulary with which `tables.ts` declares columns, for SQLite. */
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
import { defineTables, type Tables } from '../tables.ts';
import { type WordTables, wordTables } from '../words.ts';

type ForeignKey = Parameters<typeof foreignKey>[0];

/** `autoincrement`, so that the id of a deleted row is not reused: cursors and logs still contain it. */
const id = () => integer('id').primaryKey({ autoIncrement: true });

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
};

/**
 * Queries are typed once, on PostgreSQL's types. drizzle's SQLite builders have the same methods under the same
 * names (the declarations in `tables.ts` and the queries use no others), but their types are unrelated, hence
 * the cast through `unknown`. The only other cast between the engines' types is that of the drizzle instance (`connection.ts`);
 * the tests run every query on both engines and compare the migrated schemas.
 */
const sqliteVocabulary = sqliteColumns as unknown as Vocabulary;

export const sqliteTables: Tables = defineTables(sqliteVocabulary);

/** The FTS5 tables, whose columns have no types. */
export const sqliteWords: WordTables = wordTables(sqliteVocabulary);
