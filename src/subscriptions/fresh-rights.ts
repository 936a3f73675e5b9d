import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import type { Credential } from '../db/queries/standing.ts';
import type { EventRow } from '../db/rows.ts';
import { type Readers, type Rights, rightsNow } from '../events/rights.ts';
import type { Follower } from './follower.ts';

/** The rights of followers, read after the events and again once they are older than {@link LIMITS.rightsAge}. */
export function freshRights(
  database: Database,
  org: string,
  events: readonly EventRow[],
  followers: () => readonly Follower[],
) {
  let rights: Rights | undefined;
  let askedAt = 0;
  return {
    /** Makes the next call of `now` read the rights again. */
    forget(): void {
      rights = undefined;
    },
    async now(): Promise<Rights> {
      const time = monotonicTime();
      if (rights && time - askedAt < LIMITS.rightsAge) return rights;
      rights = await rightsNow(database, readersAmong(org, followers()), events);
      askedAt = time;
      return rights;
    },
  };
}

function readersAmong(org: string, followers: readonly Follower[]): Readers {
  const userIds = new Set<number>();
  const sessionIds = new Set<number>();
  const appIds = new Set<number>();
  const credentials = new Map<string, Credential>();
  for (const { session } of followers) {
    const { userId, sessionId, grant, credential } = session.principal;
    userIds.add(userId);
    if (sessionId !== undefined) sessionIds.add(sessionId);
    if (grant) appIds.add(grant.appId);
    if (credential) credentials.set(`${credential.table} ${credential.id}`, credential);
  }
  return {
    org,
    userIds: [...userIds],
    credentials: [...credentials.values()],
    sessionIds: [...sessionIds],
    appIds: [...appIds],
  };
}
