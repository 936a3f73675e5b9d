import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { requireUpdateOfUser } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { renameUser } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { memberIsApp } from '../member/changes.ts';
import { ordersOfUser } from '../order/loaders.ts';
import { callerOf } from '../shared/context.ts';
import { imageUrl } from '../shared/images.ts';
import { findOwn, requireOwn } from '../shared/lookup.ts';
import { listEnd } from '../shared/paging.ts';
import { selects } from '../shared/selection.ts';
import { requireVersion } from '../shared/versions.ts';
import { unreadEvents } from './loaders.ts';
import { users } from './lookup.ts';
import { changePassword } from './password.ts';

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
      const { name } = input;
      if (name == null) return before;
      if (before.kind === 'app') throw memberIsApp();
      if (name === before.name) return before;
      return context.database.transaction(async (tx) => {
        // Called before the change, so that rows of people are locked in the same order everywhere.
        const held = await holdRights(tx, caller);
        const changed = await renameUser(tx, { org, id: before.id, name, versions, now: context.clock() });
        if (!changed) throw new ApiError('precondition_failed');
        const event = { org, type: 'user.updated', subjectId: before.id, data: { name } } as const;
        await recordChange(tx, held, event, context.clock);
        return changed;
      });
    },
    changePassword: (_root, { userId, ...passwords }, context) => changePassword(context, userId, passwords),
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
