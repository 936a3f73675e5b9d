import { membersAfter, membersOfRoleAfter } from '../../src/db/queries/members.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerIn } from '../shared/lookup.ts';
import { ownPageById, pageById } from '../shared/paging.ts';
import { addMember, changeMember, removeMember } from './changes.ts';

export const resolvers: Resolvers = {
  Query: {
    members: (_root, { org, role = null, ...page }, context) => {
      callerIn(context, org);
      if (role === null) return ownPageById(context, 'members', page, membersAfter);
      return pageById(context, ['members', org, role], page, (part, way) =>
        membersOfRoleAfter(context.database, { org, role, ...part }, way),
      );
    },
  },
  Mutation: {
    createMember: (_root, args, context) => addMember(context, args),
    updateMember: (_root, args, context) => changeMember(context, args),
    deleteMember: (_root, args, context) => removeMember(context, args),
  },
};
