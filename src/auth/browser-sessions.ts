/**
 * Sessions of browsers at the authorization server. They are listed and ended like others, but have neither tokens nor scopes: they only
 * save people from signing in again when an app asks for their consent.
 */
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Runner } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import { storedSessions } from '../db/queries/session-lists.ts';
import { extendSession, revokeSession } from '../db/queries/sessions.ts';
import { recordAudit } from '../events/audit.ts';
import { originOf } from './origins.ts';

export interface BrowserSession {
  readonly org: string;
  readonly userId: number;
  readonly id: number;
}

/** Whether a session has neither expired nor been ended. */
export async function isActive(db: Runner, { org, id }: BrowserSession, now: Date): Promise<boolean> {
  const row = await storedSessions.find(db, org, id);
  return row !== undefined && row.revokedAt === null && row.expiresAt > now;
}

/**
 * Keeps a session for two weeks, once its browser has come back from the sign-in with it. Until then it expires as soon as the sign-in
 * does: a person may post the form twice, or leave.
 */
export async function keep(database: Database, clock: Clock, { org, id }: BrowserSession): Promise<void> {
  const now = clock();
  const expiresAt = new Date(now.getTime() + LIMITS.browserSessionLifetime);
  await database.transaction((tx) => extendSession(tx, { org, id, now, expiresAt }));
}

/** Ends a session whose person has signed out, and records it once. */
export async function signOut(
  database: Database,
  clock: Clock,
  { org, userId, id }: BrowserSession,
  origin: Origin,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await revokeSession(tx, { org, id, reason: 'logout', now: clock() }))) return;
    const entry = { org, type: 'user.signed_out', actorId: userId, subjectId: userId } as const;
    await recordAudit(tx, { ...entry, data: { session_id: id } }, clock, origin);
  });
}

/** The origin of an action in a browser. */
export const fromBrowser = (address: string | undefined): Origin => ({
  ...originOf(null, address ?? null),
  credentials: 'browser',
});
