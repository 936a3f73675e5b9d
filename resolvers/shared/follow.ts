import type { Position } from '../../src/core/cursors.ts';
import { logPosition, requireKept } from '../../src/events/log-position.ts';
import { Selection } from '../../src/events/selection.ts';
import { type Context, callerOf } from './context.ts';

/**
 * Selects the part of the caller's log that a subscription follows, starting at the cursor of the client or its transport.
 *
 * @param lists lists of the same events, whose cursors are also valid: the stream continues after their event.
 * @throws ApiError `invalid_cursor`, and `resume_expired` if events after the cursor have already been deleted.
 */
export async function followLog(
  context: Context,
  after: string | null | undefined,
  matches: Selection['matches'],
  ...lists: readonly Position[]
): Promise<Selection> {
  const { cursors, database } = context;
  const { org } = callerOf(context);
  const cursor = context.resumeAfter ?? after;
  if (cursor == null) return new Selection({ org, afterId: undefined, matches });
  const afterId = logPosition.open(cursors, org, cursor, ...lists);
  await requireKept(database, cursors, org, afterId);
  return new Selection({ org, afterId, matches });
}
