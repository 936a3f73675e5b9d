import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { hashNewPassword } from '../../src/auth/new-passwords.ts';
import { isSelf } from '../../src/auth/policy.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { useLinksOfUser } from '../../src/db/queries/link-tokens.ts';
import { revokeSessionsOfUser } from '../../src/db/queries/sessions.ts';
import { changePasswordOfUser } from '../../src/db/queries/users.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn } from '../shared/lookup.ts';
import { users } from './lookup.ts';

interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the caller's own password and ends their other sessions.
 *
 * @throws ApiError `forbidden` for another person or for narrowed credentials, `validation_failed`, `rate_limited`, `conflict` if
 *   another request has changed the password in the meantime.
 */
export async function changePassword(
  context: Context,
  userId: string | number,
  { currentPassword, newPassword }: Passwords,
): Promise<boolean> {
  const caller = callerOf(context);
  const { clock, sessions, address, signal } = context;
  const person = await requireOwn(context, userId, users);
  if (!isSelf(caller, person.id)) {
    throw new ApiError('forbidden', {
      message: 'People can only change their own password, and only with a full sign-in.',
    });
  }
  if (!(await sessions.confirm(person, { password: currentPassword, address, signal }))) {
    throw invalidValue('currentPassword', 'is not the current password');
  }
  const { org, id, name } = person;
  // The password was confirmed, so there is a hash.
  const formerHash = person.passwordHash ?? '';
  const passwordHash = await hashNewPassword(newPassword, person, 'newPassword', context);
  return context.work.commit(async (tx) => {
    const held = await holdRights(tx, caller);
    if (!(await changePasswordOfUser(tx, { org, id, passwordHash, formerHash }))) {
      throw new ApiError('conflict');
    }
    // A reset link that was requested before must not undo the change.
    await useLinksOfUser(tx, { org, userId: id, now: clock() });
    const ended = { org, userId: id, reason: 'password_changed', now: clock() };
    await revokeSessionsOfUser(tx, { ...ended, except: caller.sessionId ?? 0 });
    const data = { name, means: 'current_password' } as const;
    await recordChange(tx, held, { org, type: 'user.password_changed', subjectId: id, data }, clock);
    return true;
  });
}
