import { type HeldRights, holdRights, recordChange } from '../../src/auth/changes.ts';
import { hashNewPassword } from '../../src/auth/passwords.ts';
import { isSelf, requireUpdateOfUser } from '../../src/auth/policy.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { requireVersion } from '../../src/core/versions.ts';
import type { Transaction } from '../../src/db/database.ts';
import { useLinksOfUser } from '../../src/db/queries/link-tokens.ts';
import { revokeSessionsOfUser } from '../../src/db/queries/sessions.ts';
import { changePasswordOfUser, renameUser, users } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type {
  MutationChangePasswordArgs,
  MutationUpdateUserArgs,
  UpdateUserInput,
} from '../../src/generated/resolvers.ts';
import { memberIsApp } from '../member/changes.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, requireOwn } from '../shared/lookup.ts';

/**
 * Changes a person. An update without a difference creates no new version.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`, `conflict` for the member of an app.
 */
export async function changeUser(
  context: Context,
  { id, input, ifVersion: versions = null }: MutationUpdateUserArgs,
): Promise<UserRow> {
  const caller = callerOf(context);
  const { org } = caller;
  const changeOf = (present: UserRow) => {
    requireVersion(present, versions);
    const change = { name: input.name ?? present.name } satisfies Record<keyof UpdateUserInput, unknown>;
    if (changesNothing(present, change)) return undefined;
    if (present.kind === 'app') throw memberIsApp();
    return change;
  };
  const write = async (tx: Transaction, held: HeldRights, present: UserRow): Promise<UserRow> => {
    const change = changeOf(present);
    if (!change) return present;
    const guard = { org, id: present.id, versions: [present.version], now: context.clock() };
    const changed = await renameUser(tx, { ...guard, ...change });
    if (!changed) {
      // The person has changed since they were read: try again.
      const current = await users.find(tx, org, present.id);
      if (!current) throw await absence(tx, org, present.id, users);
      return write(tx, held, current);
    }
    const event = { org, type: 'user.updated', subjectId: changed.id, data: { name: changed.name } } as const;
    await recordChange(tx, held, event, context.clock);
    return changed;
  };
  const seen = await requireOwn(context, id, users);
  requireUpdateOfUser(caller, seen.id);
  // What is refused or changes nothing takes no lock.
  if (!changeOf(seen)) return seen;
  // Called before the change, so that rows of people are locked in the same order everywhere.
  return context.database.transaction(async (tx) => write(tx, await holdRights(tx, caller), seen));
}

/**
 * Changes the caller's own password and ends their other sessions.
 *
 * @throws ApiError `forbidden` for another person or for narrowed credentials, `validation_failed`, `rate_limited`, `conflict` if
 *   another request has changed the password in the meantime.
 */
export async function changePassword(
  context: Context,
  { userId, currentPassword, newPassword }: MutationChangePasswordArgs,
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
