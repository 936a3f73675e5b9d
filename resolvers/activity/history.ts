import { maySeeType } from '../../src/auth/event-types.ts';
import { type Context, callerOf } from '../shared/context.ts';
import type { PageArguments } from '../shared/paging.ts';
import { historyOfSubject } from './loaders.ts';
import { type EventPage, pageOfEvents, withStreamCursor } from './pages.ts';

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
): Promise<EventPage> {
  const caller = callerOf(context);
  const page = await pageOfEvents(
    context,
    { org: caller.org, list: ['history', caller.org, subjectType, subjectId] },
    args,
    (fromId, size, way) =>
      historyOfSubject(context).load({ subjectType, parentId: subjectId, fromId, size, way }),
  );
  return withStreamCursor(page.withNodes(page.nodes.filter(({ type }) => maySeeType(caller, type))));
}
