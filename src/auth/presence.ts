import type { Clock } from '../core/clock.ts';
import type { Database } from '../db/database.ts';
import { appsChangedSince } from '../db/queries/apps.ts';
import { grantsRevokedSince } from '../db/queries/grants.ts';
import { peopleChangedSince, sessionsEndedSince } from '../db/queries/standing.ts';
import { appOf } from './apps/client-id.ts';
import { grantEnded, memberRemoved, sessionEnded } from './changes.ts';
import { limitedToRole, limitedToScopes, type Principal } from './policy.ts';
import { RecentChanges } from './recent-changes.ts';

export interface PresenceOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Limits callers to the rights that they have now. An access token states the rights at the time when it was signed. So recent
 * changes of people and apps, ended sessions and ended grants are kept here.
 */
export class Presence {
  readonly #people;
  readonly #grants;
  readonly #apps;
  readonly #sessions;

  constructor(options: PresenceOptions) {
    const { database } = options;
    this.#people = new RecentChanges({
      ...options,
      read: (since) => peopleChangedSince(database, { since }),
      losses: ['user.removed', 'user.role_changed', 'app.uninstalled'],
    });
    this.#grants = new RecentChanges({
      ...options,
      read: (since) => grantsRevokedSince(database, { since }),
      losses: ['grant.revoked', 'app.uninstalled', 'user.removed'],
    });
    this.#apps = new RecentChanges({
      ...options,
      read: (since) => appsChangedSince(database, { since }),
      // A change of an app is recorded in the audit log only.
      losses: [],
    });
    this.#sessions = new RecentChanges({
      ...options,
      read: (since) => sessionsEndedSince(database, { since }),
      losses: ['session.revoked', 'user.password_changed'],
    });
  }

  /**
   * Returns the holder of a verified access token, limited to the person's current role and the app's current scopes: synchronously
   * while the changes are fresh, which is nearly always the case.
   *
   * @throws ApiError `invalid_token` if the person was removed, the session or the app's grant has ended, `unavailable` when the
   *   database cannot be read; thrown or rejected.
   */
  now(principal: Principal): Principal | Promise<Principal> {
    // Only apps have a grant, and only people who have signed in have a session.
    const isFresh =
      this.#people.isFresh &&
      (principal.grant === undefined || (this.#grants.isFresh && this.#apps.isFresh)) &&
      (principal.sessionId === undefined || this.#sessions.isFresh);
    return isFresh ? this.#withCurrentRights(principal) : this.#refreshed(principal);
  }

  /** Unsubscribes from the database. */
  close(): void {
    for (const changes of [this.#people, this.#grants, this.#apps, this.#sessions]) changes.close();
  }

  async #refreshed(principal: Principal): Promise<Principal> {
    await Promise.all([
      this.#people.refresh(),
      principal.grant && this.#grants.refresh(),
      principal.grant && this.#apps.refresh(),
      principal.sessionId !== undefined && this.#sessions.refresh(),
    ]);
    return this.#withCurrentRights(principal);
  }

  #withCurrentRights(principal: Principal): Principal {
    const { grant, sessionId, userId, org } = principal;
    if (grant && this.#grants.find(grant.id) !== undefined) throw grantEnded();
    if (sessionId !== undefined && this.#sessions.find(sessionId) !== undefined) throw sessionEnded();
    const person = this.#people.find(userId);
    if (!person) return this.#limitedToApp(principal);
    if (person.removedAt !== null || person.org !== org) throw memberRemoved();
    return this.#limitedToApp(limitedToRole(principal, person.role));
  }

  /** Returns the caller without scopes that its app has lost since the token was issued. */
  #limitedToApp(principal: Principal): Principal {
    const appId = appOf(principal);
    const app = appId === undefined ? undefined : this.#apps.find(appId);
    return app ? limitedToScopes(principal, app.scopes) : principal;
  }
}
