import type { Position } from '../../src/core/cursors.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { logPosition } from '../../src/events/log-position.ts';
import type { Connection } from '../shared/connection.ts';
import type { Context } from '../shared/context.ts';
import { type PageArguments, pageFromNewest, type Read } from '../shared/paging.ts';
import type { ActivityNode } from './nodes.ts';

/**
 * Reads a page of a list of events, newest first. The cursor of an event is its position in the log, whichever list it is in.
 *
 * @param others lists with the same positions, whose cursors are also valid for this list.
 * @throws ApiError `invalid_cursor`.
 */
export async function pageOfEvents(
  context: Context,
  list: Position,
  args: PageArguments,
  read: Read<EventRow>,
  ...others: readonly Position[]
): Promise<Connection<ActivityNode>> {
  const page = await pageFromNewest(context, list, args, read, ...others);
  return page.withNodes(
    page.nodes.map((row) => ({ ...row, cursor: logPosition.seal(context.cursors, row) })),
  );
}
