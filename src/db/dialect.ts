/** The SQL expressions that differ between the engines. Everything else in a query is the same on both. */
import type { Column, Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import type { Searched, WordTables } from './words.ts';

/** The direction in which a list is read: from its start in its order, or from its end in reverse order. */
export type Way = 'forwards' | 'backwards';

/** `asc` or `desc`. */
export type Direction = (column: SQLWrapper) => SQL;

/** The leading columns of an index, each with the value that it must equal. */
export type Prefix = readonly (readonly [column: Column, value: SQLWrapper])[];

/** A range of ids, with an exclusive lower bound, an exclusive upper bound, both or neither. */
export interface IdRange {
  readonly after?: SQLWrapper;
  readonly before?: SQLWrapper;
}

/** Parameters of {@link Dialect.matches}. */
interface MatchTerms {
  readonly org: Placeholder;
  /** A `WordQuery`. */
  readonly query: Placeholder;
  /** Only rows that follow this id in the direction of reading match. */
  readonly fromId: Placeholder;
  /** Maximum number of matches that are collected before they are sorted. An engine that finds them in order ignores it. */
  readonly most: Placeholder;
  readonly limit: Placeholder;
}

export interface Dialect {
  /**
   * A condition for one range of an index over the prefix's columns and those that follow. Together with {@link orderInIndex} it
   * makes the engine read that index and no other: for `org = $1 order by id` PostgreSQL may scan the primary key
   * instead, across all rows of other organisations, since a generic plan assumes that each organisation has the average size.
   */
  inIndex(prefix: Prefix, id: SQLWrapper, range?: IdRange): SQL;
  /** The `order by` for those rows: the columns of the index that follow its prefix. The order is the same on every engine. */
  orderInIndex(prefix: Prefix, direction: Direction, ...columns: readonly SQLWrapper[]): SQL[];
  /**
   * A condition on the organisation, for rows that the same `where` finds by their ids. On PostgreSQL the key has both columns. On
   * SQLite the condition is written so that no index is used for it: without statistics, SQLite might read all rows of the organisation
   * and filter them by id.
   */
  ofOrganisation(column: Column, org: SQLWrapper): SQL;
  /**
   * A condition that a referencing row has the organisation of the row that it references, which is always true. A distributed PostgreSQL
   * needs it to look for the row on one machine only. SQLite omits it, since it would read the row where an index is enough.
   */
  sameOrganisation(column: Column, org: SQLWrapper): SQL;
  /**
   * An amount of the table `orders` in the major unit of its currency: the number that clients see. An index that contains it has the
   * order of these numbers.
   *
   * @param amount in minor units.
   */
  inMajorUnits(amount: Column, currency: Column): SQL<number>;
  /** `column in list`, where the list is one parameter whose value is a `readonly number[]` of any length. */
  anyOf(column: Column, list: Placeholder): SQL;
  /** Like {@link anyOf}, but true for every row if the list is null. */
  anyOfUnlessNull(column: Column, list: Placeholder): SQL;
  /** A list as a table expression for `from`: one row for each number, in the column `wanted.id`. */
  each(list: Placeholder): SQL;
  /** Like {@link each}, for texts in the column `wanted.text`. */
  eachText(list: Placeholder): SQL;
  /** The few rows of a subquery as a table expression for `from`, such as {@link each}. The subquery selects them as `id`. */
  eachOf(subquery: SQL): SQL;
  /** The rows of a table as one value: the text of a JSON array with one array of columns per row, in no particular order. */
  rowsAsJson(columns: readonly Column[], table: SQLWrapper, condition: SQL): SQL<string>;
  /**
   * `column in (subquery)` for a subquery that returns few rows and may reference the tables before it: for each of
   * their rows, the engine runs the subquery first and then looks up its ids.
   */
  amongFew(column: Column, subquery: SQL): SQL;
  /** Whether a joined subquery may reference the tables before it (`lateral`). */
  readonly hasLateral: boolean;
  /**
   * A condition that takes the lock of the organisation, which this transaction holds until it ends, and is then true. It is evaluated
   * before any row is read. An engine with one writer at a time needs no lock.
   */
  orgLock(org: Placeholder): SQL;
  /**
   * The end of a select that locks the rows it reads until this transaction ends, and waits for transactions that are changing
   * them (`for share`). Empty on an engine with one writer at a time.
   */
  readonly held: SQL;
  /** Like {@link held}, but transactions that reference the rows wait as well, and are waited for (`for update`). */
  readonly heldAlone: SQL;
  /**
   * An aggregate over a table that returns its largest id and makes the engine assign ids from there on, after rows were
   * inserted with explicit ids. Null for an empty table.
   */
  continueAfterLargest(id: Column): SQL<number | null>;
  /**
   * The next id of a table, for a row that is inserted later in this transaction, so that other rows can reference it before.
   */
  nextId(id: Column): SQL<number>;
  /**
   * The next id of the table, taken under {@link orgLock}, so that transactions of one organisation get ids in the order in which they
   * commit. Null on an engine with one writer at a time, whose ids are in that order anyway.
   */
  nextIdUnderOrgLock(id: Column, org: Placeholder): SQL;
  /** The tables of the full-text indexes. */
  readonly words: WordTables;
  /** A condition that finds the entry of a row in a full-text index. */
  wordsOf(searched: Searched, org: Placeholder, id: Placeholder): SQL;
  /** Tokens in the form in which the column stores them. @param list of tokens. @param id of the row. */
  tokens(list: Placeholder, id: Placeholder): SQL;
  /**
   * A subquery for up to `limit` rows whose words match, from the greatest id or, backwards, from the smallest. Its columns are `id` and
   * `collected`, the number of matches that were collected: 0 on an engine that has no bound for them.
   */
  matches(searched: Searched, terms: MatchTerms, way: Way): SQL;
}
