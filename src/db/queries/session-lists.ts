/** Lists of active sessions. */
import type { Prefix } from '../dialect.ts';
import { and, asc, gt, isNull } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { SessionRow } from '../rows.ts';
import type { Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { findIn, ownerIn, type Page } from './shared/owned.ts';

interface SessionPage extends Page {
  readonly now: Date;
}

/** Reads active sessions in the order of an index. It skips few expired ones, since the janitor deletes them. */
const active = <P extends SessionPage>(
  name: string,
  prefixOf: (table: Tables['sessions'], p: Placeholders<P>) => Prefix,
) =>
  read.list<P, SessionRow>(name, ({ orm, tables: { sessions }, dialect }, p) => {
    const prefix = prefixOf(sessions, p);
    return orm
      .select()
      .from(sessions)
      .where(
        and(
          dialect.inIndex(prefix, sessions.id, { after: p.fromId }),
          isNull(sessions.revokedAt),
          gt(sessions.expiresAt, p.now),
        ),
      )
      .orderBy(...dialect.orderInIndex(prefix, asc, sessions.id))
      .limit(p.limit);
  });

/** Up to `limit` active sessions of a person that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export const sessionsOfUser = active<SessionPage & { readonly userId: number }>(
  'sessions.ofUser',
  (sessions, p) => [
    [sessions.org, p.org],
    [sessions.userId, p.userId],
  ],
);

/** Like {@link sessionsOfUser}, for all people of an organisation. */
export const sessionsOfOrganisation = active<SessionPage>('sessions.ofOrganisation', (sessions, p) => [
  [sessions.org, p.org],
]);

/** The session with this id in this organisation, even if it has ended. */
export const findSession = findIn('sessions');
export const orgOfSession = ownerIn('sessions');
