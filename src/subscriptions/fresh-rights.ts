import { appOf } from '../auth/apps/client-id.ts';
import { credentialOf } from '../auth/machine-credentials.ts';
import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import type { Credential } from '../db/queries/standing.ts';
import type { EventRow } from '../db/rows.ts';
import { type Readers, type Rights, rightsNow } from '../events/rights.ts';
import type { Follower } from './follower.ts';

/** The rights of followers, read after the events and again once they are older than {@link LIMITS.rightsAge}. */
export class FreshRights {
  readonly #database: Database;
  readonly #org: string;
  readonly #events: readonly EventRow[];
  readonly #followers: () => readonly Follower[];
  #rights: Rights | undefined;
  #askedAt = 0;

  constructor(
    database: Database,
    org: string,
    events: readonly EventRow[],
    followers: () => readonly Follower[],
  ) {
    this.#database = database;
    this.#org = org;
    this.#events = events;
    this.#followers = followers;
  }

  /** Makes the next call of {@link now} read the rights again. */
  forget(): void {
    this.#rights = undefined;
  }

  async now(): Promise<Rights> {
    const time = monotonicTime();
    if (this.#rights && time - this.#askedAt < LIMITS.rightsAge) return this.#rights;
    this.#rights = await rightsNow(this.#database, readersAmong(this.#org, this.#followers()), this.#events);
    this.#askedAt = time;
    return this.#rights;
  }
}

function readersAmong(org: string, followers: readonly Follower[]): Readers {
  const userIds = new Set<number>();
  const sessionIds = new Set<number>();
  const appIds = new Set<number>();
  const credentials = new Map<string, Credential>();
  for (const { session } of followers) {
    const { userId, sessionId } = session.principal;
    userIds.add(userId);
    if (sessionId !== undefined) sessionIds.add(sessionId);
    const appId = appOf(session.principal);
    if (appId !== undefined) appIds.add(appId);
    const credential = credentialOf(session.principal);
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
