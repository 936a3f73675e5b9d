/** The expressions that the engines write differently. Queries ask for them here and stay the same otherwise. */
import type { Column, Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { Searched, WordTables } from './words.ts';

/** Which way a list is read: in its order from its start, or against it from its end. */
export type Way = 'forwards' | 'backwards';

/** `asc` or `desc`. */
export type Direction = (column: SQLWrapper) => SQL;

/** The first columns of an index, each with the one value that is looked for. */
export type Prefix = readonly (readonly [column: Column, value: SQLWrapper])[];

/** Where in the order of ids rows stand: after an id, before one, both or neither. */
export interface IdRange {
  readonly after?: SQLWrapper;
  readonly before?: SQLWrapper;
}

/** Parameters of {@link Dialect.matches}. */
export interface MatchTerms {
  readonly org: Placeholder;
  /** A `WordQuery`. */
  readonly query: Placeholder;
  /** Only rows behind it on the way. */
  readonly fromId: Placeholder;
  /** Matches that are collected at most, before they are put in order. An engine that finds them in order needs no bound. */
  readonly most: Placeholder;
  readonly limit: Placeholder;
}

export interface Dialect {
  /**
   * The rows at one place of an index over the prefix's columns and those that follow, to be ordered by
   * {@link orderInIndex}. Then they are read from that index and from no other: written as `org = $1 order by id`, PostgreSQL may
   * walk the primary key instead, past all rows of other organisations, since a plan that is made for any parameters takes each
   * organisation for one of average size.
   */
  inIndex(prefix: Prefix, id: SQLWrapper, range?: IdRange): SQL;
  /** The order of those rows by the columns of the index that follow its prefix, the same on every engine. */
  orderInIndex(prefix: Prefix, direction: Direction, ...columns: readonly SQLWrapper[]): SQL[];
  /**
   * The organisation of rows that are found by their ids in the same condition. On PostgreSQL the key has both. On SQLite no index is
   * chosen by it, since without statistics all rows of an organisation would be read and looked for among the ids.
   */
  ofOrganisation(column: Column, org: SQLWrapper): SQL;
  /**
   * That a row which refers to another one is of the same organisation, which it always is. PostgreSQL needs the condition to look for
   * the row on one machine only; SQLite would read the row for it where an index is enough.
   */
  sameOrganisation(column: Column, org: SQLWrapper): SQL;
  /** `column in list`, where the placeholder's value is a `readonly number[]` of any length, in one parameter. */
  anyOf(column: Column, list: Placeholder): SQL;
  /** The same, and true for every row when the placeholder's value is null. */
  anyOfUnlessNull(column: Column, list: Placeholder): SQL;
  /** A list as what stands after `from`: one row for each number, in the column `wanted.id`. */
  each(list: Placeholder): SQL;
  /** The same for texts, in the column `wanted.text`. */
  eachText(list: Placeholder): SQL;
  /** Rows of a table as one value: the text of a JSON array with an array of the columns for each. They are in no order. */
  rowsAsJson(columns: readonly Column[], table: SQLWrapper, condition: SQL): SQL<string>;
  /**
   * `column in (subquery)`, where the subquery is of few rows and may refer to the tables before it: for each of
   * their rows the few ids are found first, and then looked up.
   */
  amongFew(column: Column, subquery: SQL): SQL;
  /**
   * A condition that is true once this transaction has its turn among those that share the key, as `nextIdInTurn` gives it. It is
   * evaluated before any row is looked at.
   */
  inTurn(key: Placeholder): SQL;
  /**
   * At the end of a select: what it reads stays as it is until this transaction ends, and what another transaction is changing is
   * read after that change. Nothing where the engine has one writer at a time.
   */
  readonly held: SQL;
  /**
   * An aggregate over a table that gives its largest id, and has the engine go on from there after rows that
   * brought their ids along. Null for an empty table.
   */
  continueAfterLargest(id: Column): SQL<number | null>;
  /**
   * The next id of a table, for a row that is written later in this transaction: other rows can refer to it beforehand.
   */
  nextId(id: Column): SQL<number>;
  /**
   * The next id of the table, given in the order in which transactions that share the key commit: the next transaction waits for
   * the end of this transaction. Null where the engine has one writer at a time and gives its ids in that order anyway.
   */
  nextIdInTurn(id: Column, key: Placeholder): SQL;
  /** Where the words of rows are. */
  readonly words: WordTables;
  /** The row with the words of a row. */
  wordsOf(searched: Searched, org: Placeholder, id: Placeholder): SQL;
  /** Tokens as the column has them. @param list a list of them. @param id the row's. */
  tokens(list: Placeholder, id: Placeholder): SQL;
  /**
   * Up to `limit` rows whose words match, with the greatest id first or, backwards, the smallest: a subquery with the columns `id` and
   * `collected`, which is how many matches were collected, 0 where that has no bound.
   */
  matches(searched: Searched, terms: MatchTerms, way: Way): SQL;
}
