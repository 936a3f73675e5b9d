import type { Position } from '../../src/core/cursors.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { logPosition } from '../../src/events/log-position.ts';
import type { Connection } from '../shared/connection.ts';
import type { Context } from '../shared/context.ts';
import { type PageArguments, pageFromNewest, type Read } from '../shared/paging.ts';
import type { ActivityNode } from './nodes.ts';

/** A page of events, and the position from which a stream continues it. */
export type EventPage = Connection<ActivityNode> & { readonly streamCursor: string | null };

/**
 * Reads a page of a list of events, newest first. The cursor of an event is its position in the log, whichever list it is in, and
 * every list of events can continue from it: a filter omits events but keeps their order.
 *
 * @throws ApiError `invalid_cursor`.
 */
export async function pageOfEvents(
  context: Context,
  { org, list }: { readonly org: string; readonly list: Position },
  args: PageArguments,
  read: Read<EventRow>,
): Promise<EventPage> {
  const page = await pageFromNewest(context, list, args, read, logPosition.listOf(org));
  return withStreamCursor(
    page.withNodes(page.nodes.map((row) => ({ ...row, cursor: logPosition.seal(context.cursors, row) }))),
  );
}

/** @param end the cursor of an empty page: the end of the log before the page was read. */
export function withStreamCursor(page: Connection<ActivityNode>, end: string | null = null): EventPage {
  const [newest] = page.nodes;
  return Object.assign(page, { streamCursor: page.hasPreviousPage ? null : (newest?.cursor ?? end) });
}
