import type { Context } from '../../src/graphql/context.ts';
import { pageSize } from './lists.ts';

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** One page of a list that is in order of id, with the cursor that leads on from it. */
export interface CursorPage<Row> {
  readonly nodes: readonly Row[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
}

/**
 * Reads the page that was asked for. One row more than a page is read, to know whether there is a next one.
 *
 * @param list everything that makes the list what it is, with its organisation: its cursors open no other list.
 * @param read up to `limit` rows with an id above `afterId`, in order of id.
 * @throws ApiError `invalid_cursor`.
 */
export async function pageById<Row extends { readonly id: number }>(
  { cursors }: Context,
  list: readonly string[],
  { first, after }: PageArguments,
  read: (afterId: number, limit: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  const [afterId] = after ? cursors.open(list, after) : [0];
  const size = pageSize(first);
  const rows = await read(Number(afterId), size + 1);
  const nodes = rows.slice(0, size);
  const hasNextPage = rows.length > size;
  const last = nodes.at(-1);
  const endCursor = last ? cursors.seal(list, [last.id]) : null;
  return { nodes, endCursor, hasNextPage, nextCursor: hasNextPage ? endCursor : null };
}
