import { membersAfter } from '../../src/db/queries/members.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { refuseForeign } from '../shared/lookup.ts';
import { ownPageById } from '../shared/paging.ts';
import { addMember, changeMember, removeMember } from './changes.ts';

export const resolvers: Resolvers = {
  Query: {
    members: (_root, { org, ...page }, context) => {
      refuseForeign(callerOf(context).org, org);
      return ownPageById(context, 'members', page, membersAfter);
    },
  },
  Mutation: {
    createMember: (_root, { org, input }, context) => addMember(context, org, input),
    updateMember: (_root, { org, userId, input, ifVersion }, context) =>
      changeMember(context, { org, userId, versions: ifVersion ?? null }, input),
    deleteMember: (_root, { org, userId, ifVersion }, context) =>
      removeMember(context, { org, userId, versions: ifVersion ?? null }),
  },
};
