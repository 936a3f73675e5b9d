import { maySeeType } from '../../src/auth/event-types.ts';
import { logPosition } from '../../src/events/log-position.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import type { PageArguments } from '../shared/paging.ts';
import { historyOfSubject } from './loaders.ts';
import type { ActivityNode } from './nodes.ts';
import { pageOfEvents } from './pages.ts';

/**
 * Reads a page of the events about a subject without a visibility rule, newest first, as far as the caller's scopes allow.
 *
 * @throws ApiError `invalid_cursor`.
 */
export async function historyPage(
  context: Context,
  subjectType: 'order' | 'charge',
  subjectId: number,
  args: PageArguments,
): Promise<Connection<ActivityNode>> {
  const caller = callerOf(context);
  const page = await pageOfEvents(
    context,
    ['history', caller.org, subjectType, subjectId],
    args,
    (fromId, size, way) => historyOfSubject(context).load({ subjectType, subjectId, fromId, size, way }),
    // A history has no filter, so it can continue from the cursor of any event.
    logPosition.listOf(caller.org),
  );
  return page.withNodes(page.nodes.filter(({ type }) => maySeeType(caller, type)));
}
