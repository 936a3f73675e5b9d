import { users } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { ordersOfUser } from '../order/loaders.ts';
import { callerOf, imageUrl } from '../shared/context.ts';
import { selects } from '../shared/loaders.ts';
import { findOwn } from '../shared/lookup.ts';
import { listEnd } from '../shared/paging.ts';
import { changePassword, changeUser } from './changes.ts';
import { unreadEvents } from './loaders.ts';

export type UserNode = UserRow;

export const resolvers: Resolvers = {
  Query: {
    me: (_root, _args, context) => findOwn(context, callerOf(context).userId, users),
    user: (_root, { id }, context) => findOwn(context, id, users),
  },
  Mutation: {
    updateUser: (_root, args, context) => changeUser(context, args),
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
