/** Lists of active sessions. */
import { gt, isNull } from '../drizzle/index.ts';
import type { Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { listIn, lookupIn } from './shared/owned.ts';

/** The conditions of active sessions. A page skips few expired ones, since the janitor deletes them. */
const isActive = ({ revokedAt, expiresAt }: Tables['sessions'], p: Placeholders<{ now: Date }>) => [
  isNull(revokedAt),
  gt(expiresAt, p.now),
];

/** Up to `limit` active sessions of a person that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export const sessionsOfUser = listIn('sessions.ofUser', 'sessions', 'after', {
  along: ({ org, userId }, p: Placeholders<{ org: string; userId: number; now: Date }>) => [
    [org, p.org],
    [userId, p.userId],
  ],
  only: isActive,
});

/** Like {@link sessionsOfUser}, for all people of an organisation. */
export const sessionsOfOrganisation = listIn('sessions.ofOrganisation', 'sessions', 'after', {
  only: isActive,
});

/** Sessions, also those that have ended. */
export const storedSessions = lookupIn('sessions');
