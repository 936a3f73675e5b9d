import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { isSelf, mayManageUsers } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { storedSessions } from '../../src/db/queries/session-lists.ts';
import { revokeSession } from '../../src/db/queries/sessions.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn } from '../shared/lookup.ts';

/**
 * Ends a session. Idempotent: a repetition writes no second event.
 *
 * @returns the id of the session.
 * @throws ApiError `forbidden`, `not_found`.
 */
export async function endSession(context: Context, given: string | number): Promise<number> {
  const caller = callerOf(context);
  const { org } = caller;
  const { clock } = context;
  const { id, userId } = await requireOwn(context, given, storedSessions);
  if (!isSelf(caller, userId) && !mayManageUsers(caller)) throw onlyOwn();
  await context.database.transaction(async (tx) => {
    const held = await holdRights(tx, caller);
    if (!(await revokeSession(tx, { org, id, reason: 'ended', now: clock() }))) return;
    const data = { reason: 'ended', user_id: userId } as const;
    await recordChange(tx, held, { org, type: 'session.revoked', subjectId: id, data }, clock);
  });
  return id;
}

export const onlyOwn = () =>
  new ApiError('forbidden', {
    message:
      'Sessions of other people require the role admin and write:users. To end your own session, use a full sign-in.',
  });
