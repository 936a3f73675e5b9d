import type { Resolvers } from '../../src/generated/resolvers.ts';

/** Signing in and out. The rules are in `src/auth/sessions.ts`. */
export const resolvers: Resolvers = {
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
    refreshSession: (_root, { refreshToken }, { sessions }) => sessions.refresh(refreshToken),
    logout: async (_root, { refreshToken }, { sessions }) => {
      await sessions.logout(refreshToken);
      return true;
    },
  },
};
