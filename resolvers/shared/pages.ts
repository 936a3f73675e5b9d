import type { Position } from '../../src/core/cursors.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { pageSize } from './lists.ts';

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** One page of a list, with the cursor that leads on from it. */
export interface CursorPage<Row> {
  readonly nodes: readonly Row[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
}

/**
 * Reads the page of a list in order of id that was asked for.
 *
 * @param list everything that makes the list what it is, with its organisation: its cursors open no other list.
 * @param read up to `limit` rows with an id above `afterId`, in order of id.
 * @throws ApiError `invalid_cursor`.
 */
export async function pageById<Row extends { readonly id: number }>(
  { cursors }: Context,
  list: Position,
  { first, after }: PageArguments,
  read: (afterId: number, limit: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  const [afterId] = after == null ? [0] : cursors.open(list, after);
  const size = pageSize(first);
  const rows = await read(Number(afterId), size + 1);
  return cursorPage(rows, size, ({ id }) => cursors.seal(list, [id]));
}

/**
 * Makes a page of rows of which one more than a page was asked for, to see whether there are more.
 *
 * @param cursorOf the position of a row in its list.
 * @param stoppedAt the position up to which rows were looked at, where the search for them ended before the list did: the page
 *   goes on from there, however few rows it shows.
 */
export function cursorPage<Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => string,
  stoppedAt?: string,
): CursorPage<Row> {
  const nodes = rows.slice(0, size);
  const last = nodes.at(-1);
  const hasNextPage = rows.length > size || stoppedAt !== undefined;
  const endCursor = stoppedAt ?? (last === undefined ? null : cursorOf(last));
  return { nodes, endCursor, hasNextPage, nextCursor: hasNextPage ? endCursor : null };
}
