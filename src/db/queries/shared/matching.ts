/** Finds the rows that match the words of a search in order of id, on every engine. */
import { LIMITS } from '../../../core/limits.ts';
import type { Way } from '../../dialect.ts';
import { partToken, type WordQuery } from '../../words.ts';
import type { LookedAt } from './looking.ts';

/** The parameters of search statements. */
export interface SearchParams {
  readonly org: string;
  readonly query: WordQuery;
  readonly fromId: number;
  readonly most: number;
  readonly limit: number;
}

/** A row whose words match, with the number of matches collected to find it: 0 on an engine that finds matches in order. */
export interface Match extends LookedAt {
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
export class Walk {
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
  async next(query: WordQuery, fromId: number, limit: number): Promise<readonly Match[]> {
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
