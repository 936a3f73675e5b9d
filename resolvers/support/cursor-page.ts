import type { Cursors, Position } from '../../src/cursors.ts';
import { pageSize } from './lists.ts';

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** A page of a list in order of id, as the page types of the schema have it. */
export interface CursorPage<Row> {
  readonly nodes: readonly Row[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
}

/**
 * The page of a list in order of id that `first` and `after` ask for.
 *
 * @param list everything that makes the list what it is: its name, organisation and filters. Its cursors are good for no other.
 * @param rowsAfter gives up to `limit` rows with an id above `afterId`, in order of id.
 * @throws ApiError `invalid_cursor` for a cursor of another list.
 */
export async function pageById<Row extends { readonly id: number }>(
  cursors: Cursors,
  list: Position,
  { first, after }: PageArguments,
  rowsAfter: (afterId: number, limit: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  const [afterId] = after ? cursors.open(list, after) : [0];
  const size = pageSize(first);
  // One row more than the page has tells whether there is another page.
  const rows = await rowsAfter(Number(afterId), size + 1);
  const nodes = rows.slice(0, size);
  const hasNextPage = rows.length > size;
  const last = nodes.at(-1);
  const endCursor = last ? cursors.seal(list, [last.id]) : null;
  return { nodes, endCursor, hasNextPage, nextCursor: hasNextPage ? endCursor : null };
}
