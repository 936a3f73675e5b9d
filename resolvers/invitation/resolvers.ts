import { joinByInvitation, readInvitation } from '../../src/auth/invitations.ts';
import { invitations } from '../../src/db/queries/invitations.ts';
import type { InvitationRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerIn, findOwn } from '../shared/lookup.ts';
import { invite, revoke } from './changes.ts';
import { listInvitations, statusOf } from './list.ts';

export type InvitationNode = InvitationRow;

export const resolvers: Resolvers = {
  Query: {
    invitation: (_root, { org, id }, context) => {
      callerIn(context, org);
      return findOwn(context, id, invitations);
    },
    invitations: (_root, args, context) => listInvitations(context, args),
    receivedInvitation: async (_root, { token }, { database, clock }) => {
      const { invitation, ...others } = await readInvitation(database, clock, token);
      const { email, role, expiresAt } = invitation;
      return { ...others, email, role, expiresAt };
    },
  },
  Mutation: {
    createInvitation: (_root, args, context) => invite(context, args),
    revokeInvitation: (_root, args, context) => revoke(context, args),
    acceptInvitation: (_root, acceptance, context) =>
      joinByInvitation(context.database, context.clock, acceptance, context),
  },
  Invitation: {
    status: (invitation, _args, context) => statusOf(invitation, context),
  },
};
