/**
 * Limits callers to the rights that they have now. An access token states the rights at the time when it was signed. So recent
 * changes of people and apps, ended sessions and ended grants are kept here.
 */
import type { Clock } from '../core/clock.ts';
import type { Database } from '../db/database.ts';
import { appsChangedSince } from '../db/queries/apps.ts';
import { grantsRevokedSince } from '../db/queries/grants.ts';
import { peopleChangedSince, sessionsEndedSince } from '../db/queries/standing.ts';
import { appOf } from './apps/client-id.ts';
import { grantEnded, memberRemoved, sessionEnded } from './changes.ts';
import { limitedToRole, limitedToScopes, type Principal } from './policy.ts';
import { RecentChanges } from './recent-changes.ts';

export interface Presence {
  /**
   * Returns the holder of a verified access token, limited to the person's current role and the app's current scopes: synchronously
   * while the changes are fresh, which is nearly always the case.
   *
   * @throws ApiError `invalid_token` if the person was removed, the session or the app's grant has ended, `unavailable` when the
   *   database cannot be read; thrown or rejected.
   */
  now(principal: Principal): Principal | Promise<Principal>;
  /** Unsubscribes from the database. */
  close(): void;
}

export interface PresenceOptions {
  readonly database: Database;
  readonly clock: Clock;
}

export function createPresence({ database, clock }: PresenceOptions): Presence {
  const people = new RecentChanges({
    database,
    clock,
    read: (since) => peopleChangedSince(database, { since }),
    idOf: ({ id }) => id,
    losses: ['user.removed', 'user.role_changed', 'app.uninstalled'],
  });
  const grants = new RecentChanges({
    database,
    clock,
    read: (since) => grantsRevokedSince(database, since),
    idOf: (id) => id,
    losses: ['grant.revoked', 'app.uninstalled', 'user.removed'],
  });
  const apps = new RecentChanges({
    database,
    clock,
    read: (since) => appsChangedSince(database, { since }),
    idOf: ({ id }) => id,
    // A change of an app is recorded in the audit log only.
    losses: [],
  });
  const sessions = new RecentChanges({
    database,
    clock,
    read: (since) => sessionsEndedSince(database, { since }),
    idOf: ({ id }) => id,
    losses: ['session.revoked', 'user.password_changed'],
  });

  function withCurrentRights(principal: Principal): Principal {
    if (principal.grant && grants.find(principal.grant.id) !== undefined) throw grantEnded();
    const { sessionId } = principal;
    if (sessionId !== undefined && sessions.find(sessionId) !== undefined) throw sessionEnded();
    const person = people.find(principal.userId);
    if (!person) return limitedToApp(principal);
    if (person.removedAt !== null || person.org !== principal.org) throw memberRemoved();
    return limitedToApp(limitedToRole(principal, person.role));
  }

  /** Returns the caller without scopes that its app has lost since the token was issued. */
  function limitedToApp(principal: Principal): Principal {
    const appId = appOf(principal);
    const app = appId === undefined ? undefined : apps.find(appId);
    return app ? limitedToScopes(principal, app.scopes) : principal;
  }

  async function refreshed(principal: Principal): Promise<Principal> {
    await Promise.all([
      people.refresh(),
      principal.grant && grants.refresh(),
      principal.grant && apps.refresh(),
      principal.sessionId !== undefined && sessions.refresh(),
    ]);
    return withCurrentRights(principal);
  }

  return {
    now(principal) {
      // Only apps have a grant, and only people who have signed in have a session.
      const isFresh =
        people.isFresh &&
        (principal.grant === undefined || (grants.isFresh && apps.isFresh)) &&
        (principal.sessionId === undefined || sessions.isFresh);
      return isFresh ? withCurrentRights(principal) : refreshed(principal);
    },
    close() {
      people.close();
      grants.close();
      apps.close();
      sessions.close();
    },
  };
}
