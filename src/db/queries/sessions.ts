import type { Placeholder, SQL } from 'drizzle-orm';
import { LIMITS } from '../../core/limits.ts';
import type { Role } from '../../core/roles.ts';
import type { Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { and, asc, eq, gt, isNull, lt, ne, or, sql } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read, write } from '../query.ts';
import type { RefreshTokenRow, SessionRow } from '../rows.ts';
import { asStored, equal, given, isEmpty, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { updateIn } from './shared/changing.ts';
import { counting, purgeByTime } from './shared/purging.ts';

/** A refresh token with its session, and the current role of its user. */
export interface RefreshTokenOfSession
  extends Pick<RefreshTokenRow, 'sessionId' | 'rotatedAt'>,
    Pick<SessionRow, 'scopes' | 'expiresAt' | 'revokedAt' | 'userId' | 'org'> {
  readonly role: Role;
}

interface NewSession extends Pick<SessionRow, 'org' | 'userId' | 'scopes' | 'createdAt' | 'expiresAt'> {
  /** The hash that the password was verified with. */
  readonly passwordHash: string;
  /** The role that the session is limited to. */
  readonly role: Role;
  readonly address: string;
}

type NewRefreshToken = Omit<RefreshTokenRow, 'id' | 'rotatedAt'>;

/**
 * Inserts nothing if the user has changed since the password was verified. On PostgreSQL it waits for a transaction that is changing the
 * user, and one that comes later waits for this one: so it finds this session when it ends those of the user.
 */
const insert = write.first<NewSession, { id: number }>(
  'sessions.insert',
  ({ orm, tables: { sessions, users }, dialect }, p) => {
    const asVerified = and(
      eq(users.id, p.userId),
      equal(users, p, 'org', 'passwordHash', 'role'),
      isNull(users.removedAt),
    );
    const column = <T>(name: string, value: SQL | Placeholder) => sql<T>`${value}`.as(name);
    const createdAt = asStored(p.createdAt, sessions.createdAt);
    return orm
      .insert(sessions)
      .select(
        orm
          .select({
            id: column<number>('id', dialect.nextId(sessions.id)),
            org: users.org,
            userId: users.id,
            scopes: column<readonly string[]>('scopes', asStored(p.scopes, sessions.scopes)),
            address: column<string>('address', p.address),
            createdAt: column<Date>('created_at', createdAt),
            lastUsedAt: column<Date>('last_used_at', createdAt),
            expiresAt: column<Date>('expires_at', asStored(p.expiresAt, sessions.expiresAt)),
            revokedAt: column<Date>('revoked_at', sql`null`),
            revokedReason: column<string>('revoked_reason', sql`null`),
          })
          .from(users)
          .where(sql`${asVerified} ${dialect.held}`),
      )
      .returning({ id: sessions.id });
  },
);

interface Revocation {
  readonly org: string;
  readonly id: number;
  readonly now: Date;
  readonly reason: string;
}

/**
 * Sessions whose access tokens are valid: also those that ended with a change of role, whose tokens have the rights of the new role until
 * they expire.
 */
const hasTokens = ({ revokedAt, revokedReason }: Tables['sessions']) =>
  or(isNull(revokedAt), eq(revokedReason, oneText('role_changed')));

const revokeWhen = (
  name: string,
  lock: (dialect: Dialect, org: Placeholder) => SQL | undefined,
  isRevocable: (sessions: Tables['sessions']) => SQL | undefined,
) =>
  write.any<Revocation>(name, ({ orm, tables: { sessions }, dialect }, p) =>
    orm
      .update(sessions)
      .set({ revokedAt: p.now, revokedReason: p.reason })
      .where(and(lock(dialect, p.org), equal(sessions, p, 'id', 'org'), isRevocable(sessions)))
      .returning({ userId: sessions.userId }),
  );

/** Revokes a session. True for exactly one of several concurrent callers. */
export const revokeSession = revokeWhen('sessions.revoke', () => undefined, hasTokens);

/**
 * Like {@link revokeSession}, for a revocation that is recorded as an event: the transaction first takes the lock of the organisation.
 * Changes of members take it before they revoke sessions as well; in a different order, both could deadlock.
 */
export const revokeSessionUnderOrgLock = revokeWhen(
  'sessions.revokeInTurn',
  (dialect, org) => dialect.orgLock(org),
  ({ revokedAt }) => isNull(revokedAt),
);

/** Updates when a session was last used. This locks the row, so that transactions that refresh or revoke the session wait for each other. */
export const noteSessionUse = write.run<{ id: number; now: Date }>(
  'sessions.use',
  ({ orm, tables: { sessions } }, p) =>
    orm.update(sessions).set({ lastUsedAt: p.now }).where(eq(sessions.id, p.id)),
);

/** Makes a session expire later, unless it has expired. */
export const extendSession = updateIn('sessions.extend', 'sessions', ['expiresAt'], {
  only: ({ expiresAt }, p: Placeholders<{ now: Date }>) => [gt(expiresAt, p.now)],
});

interface RevokeOfUser {
  readonly org: string;
  readonly userId: number;
  readonly now: Date;
  readonly reason: string;
  /** A session to keep; 0 for none. */
  readonly except: number;
}

const revokeOfUserWhen = <P extends RevokeOfUser>(
  name: string,
  which: (sessions: Tables['sessions'], p: Placeholders<P>) => SQL | undefined,
) =>
  write.run<P>(name, ({ orm, tables: { sessions } }, p) =>
    orm
      .update(sessions)
      .set({ revokedAt: p.now, revokedReason: p.reason })
      .where(and(equal(sessions, p, 'org', 'userId'), ne(sessions.id, p.except), which(sessions, p))),
  );

const revokeOfUser = revokeOfUserWhen<RevokeOfUser>('sessions.revokeOfUser', ({ revokedAt }) =>
  isNull(revokedAt),
);

/** Of the sessions that ended with a change of role after a point in time: their access tokens end with this. */
const revokeTokensOfUser = revokeOfUserWhen<RevokeOfUser & { since: Date }>(
  'sessions.revokeTokensOfUser',
  ({ revokedAt, revokedReason }, { since }) =>
    and(eq(revokedReason, oneText('role_changed')), gt(revokedAt, since)),
);

export const insertRefreshToken = write.run<NewRefreshToken>(
  'refreshTokens.insert',
  ({ orm, tables: { refreshTokens } }, p) =>
    orm.insert(refreshTokens).values(given(p, 'sessionId', 'tokenHash', 'createdAt')),
);

/** Marks a token as used. True for exactly one of several concurrent callers. */
export const rotateRefreshToken = write.any<{ tokenHash: string; now: Date }>(
  'refreshTokens.rotate',
  ({ orm, tables: { refreshTokens } }, p) =>
    orm
      .update(refreshTokens)
      .set({ rotatedAt: p.now })
      .where(and(eq(refreshTokens.tokenHash, p.tokenHash), isNull(refreshTokens.rotatedAt)))
      .returning({ id: refreshTokens.id }),
);

/** The token with this hash, unless its user was removed from the organisation. */
export const findRefreshToken = read.first<{ tokenHash: string }, RefreshTokenOfSession>(
  'refreshTokens.byHash',
  ({ orm, tables: { refreshTokens, sessions, users } }, p) =>
    orm
      .select({
        sessionId: sessions.id,
        rotatedAt: refreshTokens.rotatedAt,
        scopes: sessions.scopes,
        expiresAt: sessions.expiresAt,
        revokedAt: sessions.revokedAt,
        userId: users.id,
        org: users.org,
        role: users.role,
      })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      // The session of a person who was removed, or who moved to another organisation, is not found.
      .innerJoin(
        users,
        and(eq(users.id, sessions.userId), eq(users.org, sessions.org), isNull(users.removedAt)),
      )
      .where(eq(refreshTokens.tokenHash, p.tokenHash)),
);

/**
 * Inserts a session and returns its id. Undefined if the user has another password or role by now, or was removed: a change that ends all
 * sessions of a user also ends those that are about to begin.
 */
export async function insertSession(tx: Transaction, session: NewSession): Promise<number | undefined> {
  return (await insert(tx, session))?.id;
}

/**
 * Revokes the sessions of a user: all, or all but `except`. Unless the reason is a change of role, access tokens of sessions that had
 * ended with one become invalid, too.
 */
export async function revokeSessionsOfUser(
  tx: Transaction,
  { except = 0, ...revocation }: Omit<RevokeOfUser, 'except'> & Partial<Pick<RevokeOfUser, 'except'>>,
): Promise<void> {
  await revokeOfUser(tx, { ...revocation, except });
  if (revocation.reason === 'role_changed') return;
  const since = new Date(revocation.now.getTime() - LIMITS.accessTokenLifetime);
  await revokeTokensOfUser(tx, { ...revocation, except, since });
}

/** Deletes up to `limit` refresh tokens of sessions that expired before a time. Returns their number. */
export const purgeRefreshTokens = counting(
  statement('refreshTokens.purge', ({ orm, tables: { refreshTokens, sessions }, dialect }, p) => {
    const old = orm
      .select({ id: refreshTokens.id })
      .from(sessions)
      .innerJoin(refreshTokens, eq(refreshTokens.sessionId, sessions.id))
      .where(lt(sessions.expiresAt, p.before))
      .orderBy(asc(sessions.expiresAt))
      .limit(p.limit);
    return orm
      .delete(refreshTokens)
      .where(dialect.amongFew(refreshTokens.id, old.getSQL()))
      .returning({ id: refreshTokens.id });
  }),
);

/** Deletes up to `limit` sessions that expired before a time and have no tokens left. Returns their number. */
export const purgeSessions = purgeByTime(
  'sessions.purge',
  'sessions',
  ({ expiresAt }) => expiresAt,
  ({ refreshTokens: tokens, sessions }, orm) => [
    isEmpty(orm.select({ id: tokens.id }).from(tokens).where(eq(tokens.sessionId, sessions.id))),
  ],
);
