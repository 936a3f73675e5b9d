import { apiKeyPrefix, type CreatedApiKey } from '../../src/auth/api-keys.ts';
import { apiKeys, apiKeysAfter, type VisibleApiKey } from '../../src/db/queries/credentials.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwn } from '../shared/lookup.ts';
import { ownPageById } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';

export type ApiKeyNode = VisibleApiKey;
export type CreatedApiKeyNode = CreatedApiKey;

/** API keys. The rules are in `src/auth/api-keys.ts`. */
export const resolvers: Resolvers = {
  Query: {
    apiKey: (_root, { id }, context) => findOwn(context, id, apiKeys),
    apiKeys: (_root, args, context) => ownPageById(context, 'apiKeys', args, apiKeysAfter),
  },
  Mutation: {
    createApiKey: (_root, { input }, context) =>
      context.apiKeys.create(callerOf(context), input, context.work),
    revokeApiKey: async (_root, { id }, context) => {
      const key = await requireOwn(context, id, apiKeys);
      await context.apiKeys.revoke(callerOf(context), key.id, context.database);
      return key.id;
    },
  },
  CreatedApiKey: {
    apiKey: (created) => created,
  },
  ApiKey: {
    prefix: ({ id }) => apiKeyPrefix(id),
    ownerId: ({ userId }) => userId,
    owner: ({ userId }, _args, context) => userById(context).load(userId),
  },
};
