import { mayManageUsers } from '../../src/auth/policy.ts';
import { invalidValue } from '../../src/core/errors.ts';
import {
  sessionsOfOrganisation,
  sessionsOfUser,
  storedSessions,
} from '../../src/db/queries/session-lists.ts';
import { users } from '../../src/db/queries/users.ts';
import type { SessionRow } from '../../src/db/rows.ts';
import type { QuerySessionsArgs, Resolvers } from '../../src/generated/resolvers.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { findOwn, noPerson, requireOwn } from '../shared/lookup.ts';
import { pageById } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';
import { endSession, onlyOwn } from './changes.ts';

export type ActiveSessionNode = SessionRow;

/** Signing in and out, and sessions. The rules are in `src/auth/sessions.ts`. */
export const resolvers: Resolvers = {
  Query: {
    session: async (_root, { id }, context) => {
      const caller = callerOf(context);
      const session = await findOwn(context, id, storedSessions);
      if (session && session.userId !== caller.userId && !mayManageUsers(caller)) throw onlyOwn();
      const isActive = session?.revokedAt === null && session.expiresAt > context.clock();
      return isActive ? session : null;
    },
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

/**
 * Lists active sessions.
 *
 * @throws ApiError `validation_failed` for a person together with `all`, `forbidden` for a caller that may not see them, `not_found`
 *   for an unknown person, `invalid_cursor`.
 */
async function listSessions(
  context: Context,
  { userId: id, all, ...page }: QuerySessionsArgs,
): Promise<Connection<SessionRow>> {
  const caller = callerOf(context);
  const { org } = caller;
  const { database } = context;
  const now = context.clock();
  if (all) {
    if (id != null) throw invalidValue('userId', 'cannot be combined with all');
    if (!mayManageUsers(caller)) throw onlyOwn();
    return pageById(context, ['sessions', org], page, (part, way) =>
      sessionsOfOrganisation(database, { org, now, ...part }, way),
    );
  }
  const userId = id == null ? caller.userId : (await requireOwn(context, id, users, noPerson('userId'))).id;
  if (userId !== caller.userId && !mayManageUsers(caller)) throw onlyOwn();
  return pageById(context, ['sessions', org, userId], page, (part, way) =>
    sessionsOfUser(database, { org, userId, now, ...part }, way),
  );
}
