/**
 * The full-text indexes: FTS5 on SQLite, `tsvector` with GIN on PostgreSQL. Both hold the tokens of `src/core/search.ts` and nothing else: no
 * positions, no weights, no text. They are declared apart from `tables.ts`, since SQLite implements them as virtual tables.
 */
import type { Vocabulary } from './postgres/columns.ts';

export type WordTables = ReturnType<typeof wordTables>;

/** The name of a table that can be searched. */
export type Searched = keyof WordTables;

export function wordTables(v: Vocabulary) {
  const columns = () => ({
    /** The id of the row that contains the words. */
    rowid: v.integer('rowid').notNull(),
    org: v.text('org').notNull(),
    tokens: v.text('tokens').notNull(),
  });
  return {
    documents: v.table('search_documents', columns()),
    products: v.table('search_products', columns()),
  };
}

export const SEARCHED: readonly Searched[] = ['documents', 'products'];

export interface Term {
  readonly token: string;
  /** Whether it matches every token that begins with it. */
  readonly isPrefix?: boolean;
}

/** Matches rows that contain every term of `all`, and lack at least one term of each group in `without`. */
export interface WordQuery {
  /** The first is the token of an organisation. */
  readonly all: readonly Term[];
  readonly without: readonly (readonly Term[])[];
}

/**
 * The sizes of the ranges of ids in which matches are collected, from the largest to the smallest. Empty for an engine that finds matches in
 * order of id. A common word has enough matches among the newest 4,096 ids, which take some milliseconds even if all of them match.
 */
export const PART_SIZES: Readonly<Record<'sqlite' | 'postgres', readonly number[]>> = {
  sqlite: [],
  postgres: [65_536, 4096],
};

/** The token of a range of ids. @param size the length of the range. */
export const partToken = (size: number, number: number): string => `p${size}x${number}`;

/** The token that marks an index as complete. */
export const completeToken = (version: number): string => `v${version}`;

/** The id of the entry that holds {@link completeToken}. No row of a table has this id. */
export const COMPLETE_ROW = 0;
