import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { hashNewPassword } from '../../src/auth/new-passwords.ts';
import { isSelf, requireUpdateOfUser } from '../../src/auth/policy.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { useLinksOfUser } from '../../src/db/queries/link-tokens.ts';
import { revokeSessionsOfUser } from '../../src/db/queries/sessions.ts';
import { changePasswordOfUser, renameUser } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type {
  MutationChangePasswordArgs,
  Resolvers,
  UpdateUserInput,
} from '../../src/generated/resolvers.ts';
import { memberIsApp } from '../member/changes.ts';
import { ordersOfUser } from '../order/loaders.ts';
import { type Context, callerOf, imageUrl } from '../shared/context.ts';
import { selects } from '../shared/loaders.ts';
import { findOwn, requireOwn, requireVersion } from '../shared/lookup.ts';
import { listEnd } from '../shared/paging.ts';
import { unreadEvents, users } from './loaders.ts';

export type UserNode = UserRow;

export const resolvers: Resolvers = {
  Query: {
    me: (_root, _args, context) => findOwn(context, callerOf(context).userId, users),
    user: (_root, { id }, context) => findOwn(context, id, users),
  },
  Mutation: {
    updateUser: async (_root, { id, input, ifVersion }, context) => {
      const caller = callerOf(context);
      const before = await requireOwn(context, id, users);
      requireUpdateOfUser(caller, before.id);
      const { org } = caller;
      const versions = ifVersion ?? null;
      requireVersion(before, versions);
      const change = { name: input.name ?? before.name } satisfies Record<keyof UpdateUserInput, unknown>;
      if (changesNothing(before, change)) return before;
      if (before.kind === 'app') throw memberIsApp();
      return context.database.transaction(async (tx) => {
        // Called before the change, so that rows of people are locked in the same order everywhere.
        const held = await holdRights(tx, caller);
        const changed = await renameUser(tx, {
          org,
          id: before.id,
          ...change,
          versions,
          now: context.clock(),
        });
        if (!changed) throw new ApiError('precondition_failed');
        const data = { name: changed.name };
        const event = { org, type: 'user.updated', subjectId: before.id, data } as const;
        await recordChange(tx, held, event, context.clock);
        return changed;
      });
    },
    changePassword: (_root, args, context) => changePassword(context, args),
  },
  User: {
    avatarUrl: ({ id }, _args, { publicUrl }) => imageUrl(publicUrl, 'user', id),
    unreadNotifications: (person, _args, context) =>
      person.id === context.principal?.userId && context.principal.scopes.has('read:feed')
        ? unreadEvents(context).load(person)
        : null,
    orders: (person, args, context, info) => {
      const wanted = listEnd(context, args);
      return ordersOfUser(context).load({ parentId: person.id, ...wanted, whole: selects(info, 'items') });
    },
  },
};

/**
 * Changes the caller's own password and ends their other sessions.
 *
 * @throws ApiError `forbidden` for another person or for narrowed credentials, `validation_failed`, `rate_limited`, `conflict` if
 *   another request has changed the password in the meantime.
 */
async function changePassword(
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
