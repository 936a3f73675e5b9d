import {
  type CreatedApp,
  changeApp,
  createApp,
  createAppSecret,
  deleteApp,
} from '../../src/auth/apps/apps.ts';
import { clientIdOf } from '../../src/auth/apps/client-id.ts';
import { apps, appsAfter } from '../../src/db/queries/apps.ts';
import type { AppRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwn, requireOwnId } from '../shared/lookup.ts';
import { ownPageById } from '../shared/paging.ts';

export type AppNode = AppRow;
export type CreatedAppNode = CreatedApp;

/** Apps of the organisation. The rules are in `src/auth/apps/apps.ts`. */
export const resolvers: Resolvers = {
  Query: {
    app: (_root, { id }, context) => findOwn(context, id, apps),
    apps: (_root, args, context) => ownPageById(context, 'apps', args, appsAfter),
  },
  Mutation: {
    createApp: (_root, { input }, context) => createApp(context, callerOf(context), input),
    updateApp: async (_root, { id, input, ifVersion }, context) => {
      const app = await requireOwn(context, id, apps);
      return changeApp(context, callerOf(context), app.id, input, ifVersion ?? null);
    },
    deleteApp: async (_root, { id, ifVersion }, context) => {
      const appId = await requireOwnId(context, id, apps);
      await deleteApp(context, callerOf(context), appId, ifVersion ?? null);
      return appId;
    },
    createAppSecret: async (_root, { appId }, context) => {
      const app = await requireOwn(context, appId, apps);
      return createAppSecret(context, callerOf(context), app.id);
    },
  },
  CreatedApp: {
    app: (created) => created,
  },
  App: {
    clientId: ({ id }) => clientIdOf(id),
    certificate: ({ certificateSan }) =>
      certificateSan && { sanUri: certificateSan.uri ?? null, sanDns: certificateSan.dns ?? null },
  },
};
