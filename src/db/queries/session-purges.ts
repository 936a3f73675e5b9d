/** Deletes expired sessions and their refresh tokens. */

import { eq, inArray, lt, notExists } from '../drizzle/index.ts';
import { asStored, statement } from '../statement.ts';
import { counting, purgeByTime } from './shared/purging.ts';

/** Deletes up to `limit` refresh tokens of sessions that expired before a time. Returns their number. */
export const purgeRefreshTokens = counting(
  statement('refreshTokens.purge', ({ orm, tables: { refreshTokens, sessions } }, p) =>
    orm
      .delete(refreshTokens)
      .where(
        inArray(
          refreshTokens.id,
          orm
            .select({ id: refreshTokens.id })
            .from(sessions)
            .innerJoin(refreshTokens, eq(refreshTokens.sessionId, sessions.id))
            .where(lt(sessions.expiresAt, asStored(p.before, sessions.expiresAt)))
            .limit(p.limit),
        ),
      )
      .returning({ id: refreshTokens.id }),
  ),
);

/** Deletes up to `limit` sessions that expired before a time and have no tokens left. Returns their number. */
export const purgeSessions = purgeByTime('sessions.purge', ({ refreshTokens, sessions }, orm) => ({
  table: sessions,
  at: sessions.expiresAt,
  only: [notExists(orm.select().from(refreshTokens).where(eq(refreshTokens.sessionId, sessions.id)))],
}));
