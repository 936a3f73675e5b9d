import { clientIdOf } from '../../src/auth/apps/client-id.ts';
import { revokeGrantOf } from '../../src/auth/apps/grants.ts';
import { authorize, isUnnarrowed } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import {
  consents,
  type GrantOfApp,
  grantsAfter,
  grantsOfUserAfter,
  validConsents,
} from '../../src/db/queries/grants.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwn } from '../shared/lookup.ts';
import { ownPageById, pageById } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';

export type GrantNode = GrantOfApp;

/** Grants of people to apps. The rules are in `src/auth/apps/grants.ts`. */
export const resolvers: Resolvers = {
  Query: {
    grant: async (_root, { id }, context) => {
      const caller = callerOf(context);
      const grant = await findOwn(context, id, validConsents);
      if (grant && grant.userId !== caller.userId) authorize(caller, { role: 'admin', scope: 'manage:apps' });
      return grant;
    },
    grants: (_root, { all, ...args }, context) => {
      const caller = callerOf(context);
      const { org, userId } = caller;
      if (!all) {
        return pageById(context, ['grants', org, userId], args, (part, way) =>
          grantsOfUserAfter(context.database, { org, userId, ...part }, way),
        );
      }
      authorize(caller, { role: 'admin', scope: 'manage:apps' });
      return ownPageById(context, 'grants', args, grantsAfter);
    },
  },
  Mutation: {
    revokeGrant: async (_root, { id }, context) => {
      const caller = callerOf(context);
      const mayAll = caller.role === 'admin' && caller.scopes.has('manage:apps');
      const mayOwn = caller.kind === 'user' && isUnnarrowed(caller);
      // Checked before the lookup, so that callers without the right cannot find out which grants exist.
      const grant = mayAll || mayOwn ? await requireOwn(context, id, consents) : undefined;
      if (!grant || !(mayAll || grant.userId === caller.userId)) {
        throw new ApiError('forbidden', {
          message:
            'People can revoke their own grants with a full sign-in. All other grants require the role admin and manage:apps.',
        });
      }
      await revokeGrantOf(context, caller, grant);
      return grant.id;
    },
  },
  Grant: {
    clientId: ({ appId }) => clientIdOf(appId),
    user: ({ userId }, _args, context) => userById(context).load(userId),
  },
};
