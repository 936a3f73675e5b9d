/** Lists of search results, the best match first. */
import type { Position } from '../../src/core/cursors.ts';
import { invalidValue } from '../../src/core/errors.ts';
import { readSearch, type SearchWords } from '../../src/core/search.ts';
import type { Way } from '../../src/db/dialect.ts';
import type { Found } from '../../src/db/queries/shared/looking.ts';
import type { Ranked, SearchPosition } from '../../src/db/queries/shared/searching.ts';
import type { Connection } from './connection.ts';
import type { Context } from './context.ts';
import { connectionOf, type PageArguments, withRows } from './paging.ts';

/** Reads the words of a search. @throws ApiError `validation_failed` for a text with no word or too many words. */
export function readWords(q: string): SearchWords {
  const words = readSearch(q);
  if ('problem' in words) throw invalidValue('q', words.problem);
  return words;
}

interface Search<Row> {
  /** Everything that identifies the list, apart from the words. */
  readonly list: Position;
  readonly words: SearchWords;
  readonly find: (
    from: SearchPosition | undefined,
    limit: number,
    way: Way,
  ) => Promise<Found<Ranked, SearchPosition>>;
  /** Loads the rows with these ids, in any order and without rows that have been deleted since. */
  readonly load: (ids: readonly number[]) => Promise<readonly Row[]>;
}

/**
 * Reads a page of search results.
 *
 * @throws ApiError as {@link connectionOf}.
 */
export async function pageOfFound<Row extends { readonly id: number }>(
  context: Pick<Context, 'cursors' | 'pageMax' | 'requestCost'>,
  page: PageArguments,
  { list, words, find, load }: Search<Row>,
): Promise<Connection<Row & Ranked>> {
  const found = await connectionOf<Ranked>(context, page, {
    list: [...list, 'search', words.join(' ')],
    positionOf: ({ rank, id }) => [rank, id],
    // Cursors of this list contain the result of `positionOf`.
    read: (from, limit, way) => find(from as SearchPosition | undefined, limit, way),
  });
  return withRows(found, load);
}
