import type { Resolvers } from '../src/generated/resolvers.ts';

export const activity: Resolvers = {
  Activity: {
    actor: ({ actorId }, _args, { loaders }) => (actorId === null ? null : loaders.user.load(actorId)),
  },
};
