/** A page of a list that is walked by cursor. */
export interface CursorPage<Row> {
  readonly nodes: readonly Row[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
}

/**
 * Makes a page of rows of which one more than a page was asked for, to see whether there are more.
 *
 * @param cursorOf the position of a row in its list.
 */
export function cursorPage<Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => string,
): CursorPage<Row> {
  const nodes = rows.slice(0, size);
  const last = nodes.at(-1);
  const hasNextPage = rows.length > size;
  const endCursor = last === undefined ? null : cursorOf(last);
  return { nodes, endCursor, hasNextPage, nextCursor: hasNextPage ? endCursor : null };
}
