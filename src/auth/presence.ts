/**
 * Callers with the rights that they have now. An access token says what its owner was when it was signed, for as long as it
 * lives; so the people who were changed since are kept here, the sessions that were ended, and the grants to apps that ended.
 */
import type { Clock } from '../core/clock.ts';
import type { Database } from '../db/database.ts';
import { grantsRevokedSince } from '../db/queries/grants.ts';
import { peopleChangedSince, sessionsEndedSince } from '../db/queries/standing.ts';
import { grantEnded, hasLeft, sessionEnded } from './changes.ts';
import { type Principal, within } from './policy.ts';
import { RecentChanges } from './recent-changes.ts';

export interface Presence {
  /**
   * The holder of a verified access token, with no more than its person's present role gives: at once while what is known is
   * fresh, which it nearly always is.
   *
   * @throws ApiError `invalid_token` for a person who has left, a session that was ended, and an app whose grant has ended, `unavailable` when the database
   *   cannot say; thrown or rejected.
   */
  now(principal: Principal): Principal | Promise<Principal>;
  /** Lets go of the database. */
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
    read: (since) => peopleChangedSince(database, since),
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

  const sessions = new RecentChanges({
    database,
    clock,
    read: (since) => sessionsEndedSince(database, since),
    idOf: ({ id }) => id,
    losses: ['session.revoked', 'user.password_changed'],
  });

  function asNow(principal: Principal): Principal {
    if (principal.grant && grants.find(principal.grant.id) !== undefined) throw grantEnded();
    const { sessionId } = principal;
    if (sessionId !== undefined && sessions.find(sessionId) !== undefined) throw sessionEnded();
    const person = people.find(principal.userId);
    if (!person) return principal;
    if (person.removedAt !== null || person.org !== principal.org) throw hasLeft();
    return within(principal, person.role);
  }

  async function afterReading(principal: Principal): Promise<Principal> {
    await Promise.all([
      people.refresh(),
      principal.grant && grants.refresh(),
      principal.sessionId !== undefined && sessions.refresh(),
    ]);
    return asNow(principal);
  }

  return {
    now(principal) {
      // Who is no app has no grant to ask about, and only who has signed in has a session.
      const isFresh =
        people.isFresh &&
        (principal.grant === undefined || grants.isFresh) &&
        (principal.sessionId === undefined || sessions.isFresh);
      return isFresh ? asNow(principal) : afterReading(principal);
    },
    close() {
      people.close();
      grants.close();
      sessions.close();
    },
  };
}
