import type { SessionRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { userById } from '../user/loaders.ts';
import { endSession, listSessions } from './active.ts';

export type ActiveSessionNode = SessionRow;

/** Signing in and out, and sessions. The rules are in `src/auth/sessions.ts`. */
export const resolvers: Resolvers = {
  Query: {
    sessions: (_root, args, context) => listSessions(context, args),
  },
  Mutation: {
    login: (_root, { email, password, scopes, deviceToken }, { sessions, address, signal }) =>
      sessions.login({
        email,
        password,
        address,
        signal,
        ...(scopes && { scopes }),
        ...(deviceToken != null && { deviceToken }),
      }),
    refreshSession: (_root, { refreshToken }, { sessions, address }) =>
      sessions.refresh(refreshToken, address),
    logout: async (_root, { refreshToken }, { sessions, address }) => {
      await sessions.logout(refreshToken, address);
      return true;
    },
    endSession: (_root, { id }, context) => endSession(context, id),
  },
  ActiveSession: {
    user: ({ userId }, _args, context) => userById(context).load(userId),
    current: ({ id }, _args, { principal }) => principal?.sessionId === id,
  },
};
