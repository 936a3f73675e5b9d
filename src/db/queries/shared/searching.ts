/**
 * Searches by words. Results are sorted by rank, then from the greatest id. Each rank is its own query: first rows with all words in the
 * title, then those where the title has a word that begins with the last one, then those with the words anywhere.
 */

import type { SQL } from 'drizzle-orm';
import { LIMITS } from '../../../core/limits.ts';
import { type SearchWords, tokenOf, tokenOfOrganisation } from '../../../core/search.ts';
import type { Database } from '../../database.ts';
import type { Way } from '../../dialect.ts';
import { and, asc, desc, eq, isNotNull, sql } from '../../drizzle/index.ts';
import { constantLimit } from '../../literals.ts';
import { read } from '../../query.ts';
import { type Builder, type Placeholders, statement } from '../../statement.ts';
import type { Tables } from '../../tables.ts';
import { PART_SIZES, partToken, type Searched, type Term, type WordQuery } from '../../words.ts';
import { type Found, type ListPart, type LookedAt, lookFor } from './looking.ts';
import type { OwnedTable } from './owned.ts';

/** The parameters of search statements. */
interface SearchParams {
  readonly org: string;
  readonly query: WordQuery;
  readonly fromId: number;
  readonly most: number;
  readonly limit: number;
}

/** A row whose words match, with the number of matches collected to find it: 0 on an engine that finds matches in order. */
interface Match extends LookedAt {
  readonly collected: number;
}

/** The queries for searching one kind of row. */
interface Searching {
  readonly look: (params: Omit<SearchParams, 'org'>) => Promise<readonly Match[]>;
  /** The greatest id of the organisation, or 0 if it has none. */
  readonly newestId: () => Promise<number>;
  /** The sizes of the ranges of ids that rows have tokens for, from the largest to the smallest. Empty if matches are found in order. */
  readonly partSizes: readonly number[];
}

/**
 * Finds matches in order of id. On an engine that cannot do so, it collects the matches of one range of ids at a time: first of the newest
 * ids, which suffices for a common word; then of all ids, which suffices for a rare word; and if these are too many, of smaller ranges.
 */
class Walk {
  readonly #searching: Searching;
  readonly #isForwards: boolean;
  readonly #sizes: readonly number[];
  #newest: Promise<number> | undefined;

  constructor(way: Way, searching: Searching) {
    this.#searching = searching;
    this.#isForwards = way === 'forwards';
    this.#sizes = searching.partSizes;
  }

  /** An id before all others in the direction of reading. */
  async start(): Promise<number> {
    if (!this.#isForwards) return 0;
    return this.#sizes.length === 0 ? Number.MAX_SAFE_INTEGER : (await this.#newestId()) + 1;
  }

  /** Up to `limit` matches that follow an id. */
  async next(query: WordQuery, { fromId, limit }: ListPart): Promise<readonly Match[]> {
    const size = this.#sizes.at(-1);
    if (size === undefined) return this.#searching.look({ query, fromId, most: 0, limit });
    const part = this.#partBehind(fromId, size);
    const first = await this.#inPart(query, part, fromId, limit, this.#sizes.length - 1);
    if (first.length >= limit) return first;
    const end = this.#isForwards ? 0 : await this.#newestId();
    return [...first, ...(await this.#upTo(end, query, part.end, limit - first.length, 0))];
  }

  /** Finds matches in a range of ids. @param depth the index of the range's size. */
  #inPart(
    query: WordQuery,
    { token, end }: Part,
    fromId: number,
    limit: number,
    depth: number,
  ): Promise<readonly Match[]> {
    return this.#upTo(end, { ...query, all: [...query.all, { token }] }, fromId, limit, depth + 1);
  }

  /** Finds matches up to an id. @param depth the index of the size of ranges to search one by one if there are too many matches. */
  async #upTo(
    end: number,
    query: WordQuery,
    fromId: number,
    limit: number,
    depth: number,
  ): Promise<readonly Match[]> {
    if (this.#isPast(fromId, end)) return [];
    const size = this.#sizes[depth];
    // A range of the smallest size is always searched at once.
    const most = size === undefined ? Math.max(...this.#sizes) : LIMITS.searchMatches;
    const found = await this.#searching.look({ query, fromId, most: most + 1, limit });
    if (size === undefined || (found[0]?.collected ?? 0) <= most) return found;
    const matches: Match[] = [];
    for (let from = fromId; matches.length < limit && !this.#isPast(from, end); ) {
      const part = this.#partBehind(from, size);
      matches.push(...(await this.#inPart(query, part, from, limit - matches.length, depth)));
      from = part.end;
    }
    return matches;
  }

  #isPast(fromId: number, end: number): boolean {
    return this.#isForwards ? fromId <= end : fromId >= end;
  }

  /** The range that contains the next id. */
  #partBehind(fromId: number, size: number): Part {
    const number = Math.floor((this.#isForwards ? fromId - 1 : fromId + 1) / size);
    const end = this.#isForwards ? number * size : (number + 1) * size - 1;
    return { token: partToken(size, number), end };
  }

  #newestId(): Promise<number> {
    this.#newest ??= this.#searching.newestId();
    return this.#newest;
  }
}

/** A range of ids, and the token of its rows. */
interface Part {
  readonly token: string;
  /** The last id of the range in the direction of reading: the next range follows it. */
  readonly end: number;
}

/** A position in the list of results. */
export type SearchPosition = readonly [rank: number, id: number];

/** A row that was found. */
export interface Ranked {
  readonly id: number;
  readonly rank: number;
}

/** The greatest id of an organisation in an index, or 0: for engines that search by ranges of ids. */
const newestOf = (searched: Searched) =>
  read.first<{ org: string }, { rowid: number }>(`${searched}.newestWithWords`, ({ orm, dialect }, p) => {
    const words = dialect.words[searched];
    return orm
      .select({ rowid: words.rowid })
      .from(words)
      .where(dialect.inIndex([[words.org, p.org]], words.rowid))
      .orderBy(...dialect.orderInIndex([[words.org, p.org]], desc, words.rowid))
      .limit(constantLimit(1));
  });

const NEWEST = { documents: newestOf('documents'), products: newestOf('products') };

/**
 * Returns a query that searches the rows of an organisation by their words: ids with their ranks, the best first, after a position in the
 * list. {@link lookFor} limits how many rows it examines in each rank.
 *
 * The query gets the words with the parameters of the conditions, its position `from`, undefined for the start, and the direction of
 * reading.
 *
 * @param isListed the condition of rows that are in the list of the reader.
 * @param isPresent the condition of rows that exist.
 */
export function searchIn<P extends { readonly org: string }>(
  name: string,
  searched: Searched,
  isListed: (builder: Builder, p: Placeholders<P & SearchParams>) => SQL | undefined,
  isPresent: (tables: Tables) => SQL | undefined = () => undefined,
) {
  const statementFor = (way: Way) =>
    statement<P & SearchParams, readonly Match[]>(`${name}.${way}`, (builder, p) => {
      const { orm, tables, dialect } = builder;
      const table: OwnedTable = tables[searched];
      return orm
        .select({
          id: sql<number>`few.id`.mapWith(Number).as('few_id'),
          collected: sql<number>`few.collected`.mapWith(Number),
          visible: sql<boolean | null>`${and(isNotNull(table.id), isListed(builder, p))}`.mapWith(Boolean),
        })
        .from(sql`${dialect.matches(searched, p, way)} as few`)
        .leftJoin(table, and(eq(table.id, sql`few.id`), eq(table.org, p.org), isPresent(tables)))
        .orderBy((way === 'forwards' ? desc : asc)(sql`few.id`));
    });
  const statements = { forwards: statementFor('forwards'), backwards: statementFor('backwards') };
  return async (
    db: Database,
    search: P & { readonly words: SearchWords },
    from: SearchPosition | undefined,
    limit: number,
    way: Way,
  ): Promise<Found<Ranked, SearchPosition>> => {
    const { org, words } = search;
    const walk = new Walk(way, {
      look: (params) => db.run(statements[way], { ...search, ...params }),
      newestId: async () => (await NEWEST[searched](db, { org }))?.rowid ?? 0,
      partSizes: PART_SIZES[db.engine],
    });
    const ranks = [...ranksOf(org, words, searched === 'documents').entries()].filter(
      ([rank]) => from === undefined || (way === 'forwards' ? rank >= from[0] : rank <= from[0]),
    );
    const rows: Ranked[] = [];
    let skipped = 0;
    for (const [rank, query] of way === 'forwards' ? ranks : ranks.toReversed()) {
      const start = from && rank === from[0] ? from[1] : await walk.start();
      const found = await lookFor({ fromId: start, limit: limit - rows.length }, (part) =>
        walk.next(query, part),
      );
      rows.push(...found.rows.map(({ id }) => ({ id, rank })));
      skipped += found.skipped;
      if (found.stoppedAt !== undefined) return { rows, stoppedAt: [rank, found.stoppedAt], skipped };
      if (rows.length >= limit) break;
    }
    return { rows, stoppedAt: undefined, skipped };
  };
}

/**
 * The queries of a search by rank, the best first. No row matches two of them.
 *
 * @param hasBody whether rows have words outside of their title.
 */
function ranksOf(org: string, words: SearchWords, hasBody: boolean): readonly WordQuery[] {
  const organisation = { token: tokenOfOrganisation(org) };
  const titled = words.map((word): Term => ({ token: tokenOf('title', word) }));
  const anywhere = words.map((word): Term => ({ token: tokenOf('anywhere', word) }));
  const lastWord = words.at(-1) ?? '';
  const last: Term = { token: tokenOf('title', lastWord), isPrefix: true };
  const beginning = [...titled.slice(0, -1), last];
  const isBeginning = [...lastWord].length >= LIMITS.searchPrefix;
  return [
    { all: [organisation, ...titled], without: [] },
    ...(isBeginning ? [{ all: [organisation, ...beginning], without: [titled] }] : []),
    // A word begins with itself, so this also excludes rows with all words in the title.
    ...(hasBody ? [{ all: [organisation, ...anywhere], without: [isBeginning ? beginning : titled] }] : []),
  ];
}
