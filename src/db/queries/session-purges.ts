/** Deletes expired sessions and their refresh tokens. */

import { asc, eq, lt } from '../drizzle/index.ts';
import { isEmpty, statement } from '../statement.ts';
import { counting, purgeByTime } from './shared/purging.ts';

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
export const purgeSessions = purgeByTime('sessions.purge', ({ refreshTokens, sessions }, orm) => ({
  table: sessions,
  at: sessions.expiresAt,
  only: [
    isEmpty(
      orm
        .select({ id: refreshTokens.id })
        .from(refreshTokens)
        .where(eq(refreshTokens.sessionId, sessions.id)),
    ),
  ],
}));
