/**
 * Indexes of words: FTS5 on SQLite, `tsvector` with GIN on PostgreSQL. Both hold the tokens of `src/core/search.ts` and nothing else: no
 * positions, no weights, no text. They stand beside the tables of `tables.ts`, since one engine has no table for them but a module.
 */
import type { Vocabulary } from './postgres/columns.ts';

export type WordTables = ReturnType<typeof wordTables>;

/** What is searched, by the names of its table. */
export type Searched = keyof WordTables;

export function wordTables(v: Vocabulary) {
  const columns = () => ({
    /** The id of the row that has the words. */
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
  /** Whether it is enough that a token begins with it. */
  readonly isPrefix?: boolean;
}

/** What rows match that have all of some terms, and of each group in `without` at least one not. */
export interface WordQuery {
  readonly all: readonly Term[];
  readonly without: readonly (readonly Term[])[];
}

/**
 * Numbers of ids of which matches are collected together, from the largest to the smallest; none where the engine finds matches in order
 * of id. A common word is found among the newest 4,096, which are some milliseconds if all of them match.
 */
export const PART_SIZES: Readonly<Record<'sqlite' | 'postgres', readonly number[]>> = {
  sqlite: [],
  postgres: [65_536, 4096],
};

/** The token of a part of the ids. @param size of the part. */
export const partToken = (size: number, number: number): string => `p${size}x${number}`;

/** The token of an index that has every row that it should have. */
export const completeToken = (version: number): string => `v${version}`;

/** The row that has it: no row of a table has this id. */
export const COMPLETE_ROW = 0;
