import { clientIdOf } from '../../src/auth/apps/client-id.ts';
import { install, uninstall } from '../../src/auth/apps/installations.ts';
import { type InstalledApp, installations, installationsAfter } from '../../src/db/queries/installations.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwnId } from '../shared/lookup.ts';
import { ownPageById } from '../shared/paging.ts';

export type InstallationNode = InstalledApp;

/** Installations of apps. The rules are in `src/auth/apps/installations.ts`. */
export const resolvers: Resolvers = {
  Query: {
    installation: (_root, { id }, context) => findOwn(context, id, installations),
    installations: (_root, args, context) => ownPageById(context, 'installations', args, installationsAfter),
  },
  Mutation: {
    createInstallation: (_root, { input }, context) => install(context, callerOf(context), input),
    deleteInstallation: async (_root, { id }, context) => {
      const installationId = await requireOwnId(context, id, installations);
      await uninstall(context, callerOf(context), installationId);
      return installationId;
    },
  },
  Installation: {
    clientId: ({ appId }) => clientIdOf(appId),
    memberId: ({ userId }) => userId,
  },
};
