import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, eq, isNull, sql } from '../drizzle/index.ts';

/** A refresh token with its session, and the person behind it as it is now. */
export interface RefreshTokenOfSession {
  readonly sessionId: number;
  readonly rotatedAt: Date | null;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly userId: number;
  readonly org: string;
  readonly role: Role;
}

interface NewSession {
  readonly org: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface NewRefreshToken {
  readonly sessionId: number;
  readonly tokenHash: string;
  readonly createdAt: Date;
}

const insert = statement<NewSession, readonly { id: number }[]>(
  'sessions.insert',
  ({ orm, tables: { sessions } }, p) =>
    orm
      .insert(sessions)
      .values({
        org: p.org,
        userId: p.userId,
        scopes: p.scopes,
        createdAt: p.createdAt,
        expiresAt: p.expiresAt,
      })
      .returning({ id: sessions.id }),
);

const revoke = statement<{ id: number; now: Date; reason: string }, readonly { id: number }[]>(
  'sessions.revoke',
  ({ orm, tables: { sessions } }, p) =>
    orm
      .update(sessions)
      .set({
        revokedAt: asStored(p.now, sessions.revokedAt),
        revokedReason: asStored(p.reason, sessions.revokedReason),
      })
      .where(and(eq(sessions.id, p.id), isNull(sessions.revokedAt)))
      .returning({ id: sessions.id }),
);

/** Writing the scopes it has anyway locks the row, in the same words on both engines. */
const hold = statement<{ id: number }, unknown>('sessions.hold', ({ orm, tables: { sessions } }, p) =>
  orm
    .update(sessions)
    .set({ scopes: sql`${sessions.scopes}` })
    .where(eq(sessions.id, p.id)),
);

interface RevokeOfUser {
  readonly org: string;
  readonly userId: number;
  readonly now: Date;
  readonly reason: string;
}

const revokeOfUser = statement<RevokeOfUser, unknown>(
  'sessions.revokeOfUser',
  ({ orm, tables: { sessions } }, p) =>
    orm
      .update(sessions)
      .set({
        revokedAt: asStored(p.now, sessions.revokedAt),
        revokedReason: asStored(p.reason, sessions.revokedReason),
      })
      .where(and(eq(sessions.org, p.org), eq(sessions.userId, p.userId), isNull(sessions.revokedAt))),
);

const insertToken = statement<NewRefreshToken, unknown>(
  'refreshTokens.insert',
  ({ orm, tables: { refreshTokens } }, p) =>
    orm.insert(refreshTokens).values({
      sessionId: p.sessionId,
      tokenHash: p.tokenHash,
      createdAt: p.createdAt,
    }),
);

const rotate = statement<{ tokenHash: string; now: Date }, readonly { id: number }[]>(
  'refreshTokens.rotate',
  ({ orm, tables: { refreshTokens } }, p) =>
    orm
      .update(refreshTokens)
      .set({ rotatedAt: asStored(p.now, refreshTokens.rotatedAt) })
      .where(and(eq(refreshTokens.tokenHash, p.tokenHash), isNull(refreshTokens.rotatedAt)))
      .returning({ id: refreshTokens.id }),
);

const byTokenHash = statement<{ tokenHash: string }, readonly RefreshTokenOfSession[]>(
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
      // A person who moved to another organisation has no session there before signing in anew, and one who left has none.
      .innerJoin(
        users,
        and(eq(users.id, sessions.userId), eq(users.org, sessions.org), isNull(users.removedAt)),
      )
      .where(eq(refreshTokens.tokenHash, p.tokenHash)),
);

/** Gives the id of the new session. */
export async function insertSession(tx: Transaction, session: NewSession): Promise<number> {
  const [row] = await tx.run(insert, session);
  if (!row) throw new Error('An inserted session gave no id.');
  return row.id;
}

/** Serializes transactions that refresh or end a session. */
export async function holdSession(tx: Transaction, id: number): Promise<void> {
  await tx.run(hold, { id });
}

/** Ends a session. True for one of several concurrent callers. */
export async function revokeSession(
  tx: Transaction,
  id: number,
  reason: string,
  now: Date,
): Promise<boolean> {
  return (await tx.run(revoke, { id, reason, now })).length > 0;
}

/** Ends every session of a person. Their access tokens stay valid until they expire. */
export async function revokeSessionsOfUser(tx: Transaction, revocation: RevokeOfUser): Promise<void> {
  await tx.run(revokeOfUser, revocation);
}

export async function insertRefreshToken(tx: Transaction, token: NewRefreshToken): Promise<void> {
  await tx.run(insertToken, token);
}

/** Marks a token as used. True for one of several concurrent callers. */
export async function rotateRefreshToken(tx: Transaction, tokenHash: string, now: Date): Promise<boolean> {
  return (await tx.run(rotate, { tokenHash, now })).length > 0;
}

/** The token with this hash, unless its person is gone from the organisation. */
export async function findRefreshToken(
  db: Runner,
  tokenHash: string,
): Promise<RefreshTokenOfSession | undefined> {
  return (await db.run(byTokenHash, { tokenHash }))[0];
}
