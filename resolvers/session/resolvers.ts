import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { isSelf, mayManageUsers } from '../../src/auth/policy.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import {
  findSession,
  orgOfSession,
  sessionsOfOrganisation,
  sessionsOfUser,
} from '../../src/db/queries/session-lists.ts';
import { revokeSession } from '../../src/db/queries/sessions.ts';
import type { SessionRow } from '../../src/db/rows.ts';
import type { QuerySessionsArgs, Resolvers } from '../../src/generated/resolvers.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { findOwn, type Lookup, noPerson, requireOwn } from '../shared/lookup.ts';
import { pageById } from '../shared/paging.ts';
import { userById, users } from '../user/loaders.ts';

export type ActiveSessionNode = SessionRow;

/** Signing in and out, and sessions. The rules are in `src/auth/sessions.ts`. */
export const resolvers: Resolvers = {
  Query: {
    session: async (_root, { id }, context) => {
      const caller = callerOf(context);
      const session = await findOwn(context, id, activeSessions);
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

const activeSessions: Lookup<SessionRow> = { find: findSession, orgOf: orgOfSession };

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
    return pageById(context, ['sessions', org], page, (fromId, limit, way) =>
      sessionsOfOrganisation(database, { org, fromId, limit, now }, way),
    );
  }
  const userId = id == null ? caller.userId : (await requireOwn(context, id, users, noPerson('userId'))).id;
  if (userId !== caller.userId && !mayManageUsers(caller)) throw onlyOwn();
  return pageById(context, ['sessions', org, userId], page, (fromId, limit, way) =>
    sessionsOfUser(database, { org, userId, fromId, limit, now }, way),
  );
}

/**
 * Ends a session. Idempotent: a repetition writes no second event.
 *
 * @returns the id of the session.
 * @throws ApiError `forbidden`, `not_found`.
 */
async function endSession(context: Context, given: string | number): Promise<number> {
  const caller = callerOf(context);
  const { org } = caller;
  const { clock } = context;
  const { id, userId } = await requireOwn(context, given, activeSessions);
  if (!isSelf(caller, userId) && !mayManageUsers(caller)) throw onlyOwn();
  await context.database.transaction(async (tx) => {
    const held = await holdRights(tx, caller);
    if (!(await revokeSession(tx, { org, id, reason: 'ended', now: clock() }))) return;
    const data = { reason: 'ended', user_id: userId } as const;
    await recordChange(tx, held, { org, type: 'session.revoked', subjectId: id, data }, clock);
  });
  return id;
}

const onlyOwn = () =>
  new ApiError('forbidden', {
    message:
      'Sessions of other people require the role admin and write:users. To end your own session, use a full sign-in.',
  });
