/**
 * Searching by words, in order of rank and then of id, the greatest first. A rank is a query of its own: what has all words in its title,
 * then what has the last one in it as a beginning, then what has them anywhere.
 */
import { LIMITS } from '../../core/limits.ts';
import { type SearchWords, tokenOf, tokenOfOrganisation } from '../../core/search.ts';
import type { Way } from '../list-statement.ts';
import { partToken, type Term, type WordQuery } from '../words.ts';
import { type LookedAt, lookFor } from './looking.ts';

/** A place in the list of what was found. */
export type SearchPosition = readonly [rank: number, id: number];

/** A row that was found. */
export interface Ranked {
  readonly id: number;
  readonly rank: number;
}

export interface FoundRanked {
  readonly rows: readonly Ranked[];
  /** The last place examined, when the limit of rows was reached; else undefined. */
  readonly stoppedAt: SearchPosition | undefined;
}

/** What the statements of a search are given, beside who reads. */
export interface SearchParams {
  readonly query: WordQuery;
  readonly fromId: number;
  readonly most: number;
  readonly limit: number;
}

/** A row whose words match, with how many matches were collected to find it: 0 where all were found in order. */
export interface Match extends LookedAt {
  readonly collected: number;
}

/** How a kind of row is searched. */
export interface Searching {
  readonly look: (params: SearchParams, way: Way) => Promise<readonly Match[]>;
  /** The greatest id of the organisation; 0 where it has none. */
  readonly newestId: () => Promise<number>;
  /** Of the parts of the ids that rows have tokens of, from the largest to the smallest; none where matches are found in order. */
  readonly partSizes: readonly number[];
}

/**
 * The ranks of a search, the best first. No row is in two of them.
 *
 * @param hasBody whether there are words beside those of the title.
 */
export function ranksOf(org: string, words: SearchWords, hasBody: boolean): readonly WordQuery[] {
  const organisation = { token: tokenOfOrganisation(org) };
  const titled = words.map((word): Term => ({ token: tokenOf('title', word) }));
  const anywhere = words.map((word): Term => ({ token: tokenOf('anywhere', word) }));
  const lastWord = words.at(-1) ?? '';
  const last: Term = { token: tokenOf('title', lastWord), isPrefix: true };
  const whole = { token: tokenOf(hasBody ? 'anywhere' : 'title', lastWord) };
  const isBeginning = [...lastWord].length >= LIMITS.searchPrefix;
  return [
    { all: [organisation, ...titled], without: [] },
    ...(isBeginning ? [{ all: [organisation, ...titled.slice(0, -1), last], without: [[whole]] }] : []),
    ...(hasBody ? [{ all: [organisation, ...anywhere], without: [titled] }] : []),
  ];
}

/**
 * Up to `limit` rows that follow a place, on the way that the list is read, as far as {@link lookFor} looks in each rank.
 *
 * @param from undefined for where the way begins.
 */
export async function findRanked(
  searching: Searching,
  ranks: readonly WordQuery[],
  from: SearchPosition | undefined,
  limit: number,
  way: Way,
): Promise<FoundRanked> {
  const walk = new Walk(searching, way);
  const order = [...ranks.entries()];
  const rows: Ranked[] = [];
  const behind = from && order.filter(([rank]) => (way === 'forwards' ? rank >= from[0] : rank <= from[0]));
  for (const [rank, query] of way === 'forwards' ? (behind ?? order) : (behind ?? order).toReversed()) {
    const start = from && rank === from[0] ? from[1] : await walk.start();
    const found = await lookFor(start, limit - rows.length, (id, most) => walk.next(query, id, most));
    rows.push(...found.rows.map(({ id }) => ({ id, rank })));
    if (found.stoppedAt !== undefined) return { rows, stoppedAt: [rank, found.stoppedAt] };
    if (rows.length >= limit) break;
  }
  return { rows, stoppedAt: undefined };
}

/**
 * Finds matches in order of id. An engine that cannot do so collects them of a part of the ids at a time: first of the newest few, which
 * is enough for a common word; then of all, which is enough for a rare one; and where these are too many, of ever smaller parts.
 */
class Walk {
  readonly #searching: Searching;
  readonly #isForwards: boolean;
  readonly #way: Way;
  readonly #sizes: readonly number[];
  #newest: Promise<number> | undefined;

  constructor(searching: Searching, way: Way) {
    this.#searching = searching;
    this.#way = way;
    this.#isForwards = way === 'forwards';
    this.#sizes = searching.partSizes;
  }

  /** The id before all others on the way. */
  async start(): Promise<number> {
    if (!this.#isForwards) return 0;
    return this.#sizes.length === 0 ? Number.MAX_SAFE_INTEGER : (await this.#newestId()) + 1;
  }

  /** Up to `limit` matches that follow an id. */
  async next(query: WordQuery, fromId: number, limit: number): Promise<readonly Match[]> {
    const size = this.#sizes.at(-1);
    if (size === undefined) return this.#searching.look({ query, fromId, most: 0, limit }, this.#way);
    const part = this.#partBehind(fromId, size);
    const first = await this.#inPart(query, part, fromId, limit, this.#sizes.length - 1);
    if (first.length >= limit) return first;
    const end = this.#isForwards ? 0 : await this.#newestId();
    return [...first, ...(await this.#upTo(end, query, part.end, limit - first.length, 0))];
  }

  /** Matches in a part of the ids. @param depth of the parts of this size. */
  #inPart(
    query: WordQuery,
    { token, end }: Part,
    fromId: number,
    limit: number,
    depth: number,
  ): Promise<readonly Match[]> {
    return this.#upTo(end, { ...query, all: [...query.all, { token }] }, fromId, limit, depth + 1);
  }

  /** Matches up to an id. @param depth of the parts that are looked at one by one if there are too many. */
  async #upTo(
    end: number,
    query: WordQuery,
    fromId: number,
    limit: number,
    depth: number,
  ): Promise<readonly Match[]> {
    if (this.#isPast(fromId, end)) return [];
    const size = this.#sizes[depth];
    // The smallest parts are looked at as a whole.
    const most = size === undefined ? Math.max(...this.#sizes) : LIMITS.searchMatches;
    const found = await this.#searching.look({ query, fromId, most: most + 1, limit }, this.#way);
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

  /** The part with the id that follows another. */
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

/** Ids that have a token in common. */
interface Part {
  readonly token: string;
  /** What follows it on the way follows this id. */
  readonly end: number;
}
