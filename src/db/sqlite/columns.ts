/** The words in which `tables.ts` declares its columns, as SQLite has them. */
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

/** `autoincrement`, so that the id of a deleted row is not given again: cursors and logs still name it. */
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
  /** One file is not distributed: keys, unique indexes and references of rows of an organisation do without it. */
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
 * names (the declarations in `tables.ts` and the queries use no others), but their types are not related, hence
 * the detour over `unknown`. Here and where the engine makes its drizzle instance are the only two such places;
 * the tests run every query on both engines and compare the migrated schemas.
 */
const sqliteVocabulary = sqliteColumns as unknown as Vocabulary;

export const sqliteTables: Tables = defineTables(sqliteVocabulary);

/** Tables of FTS5, which has the types of none of its columns. */
export const sqliteWords: WordTables = wordTables(sqliteVocabulary);
