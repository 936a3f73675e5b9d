import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { sharedRun } from '../core/promises.ts';
import type { Database, OpenDatabase } from '../db/database.ts';
import { appsChangedSince } from '../db/queries/apps.ts';
import { grantsRevokedSince } from '../db/queries/grants.ts';
import { peopleChangedSince, sessionsEndedSince } from '../db/queries/standing.ts';
import type { EventType } from '../events/catalogue.ts';
import { grantEnded, memberRemoved, sessionEnded } from './changes.ts';
import { limitedToRole, limitedToScopes, type Principal } from './policy.ts';

type Row = { readonly id: number };

type Read<Change> = (database: Database, after: { since: Date }) => Promise<readonly Change[]>;

/**
 * Limits callers to the rights that they have now. An access token states the rights at the time when it was signed. So recent
 * changes of people and apps, ended sessions and ended grants are kept here.
 */
export class Presence {
  readonly #people;
  readonly #grants;
  readonly #apps;
  readonly #sessions;

  constructor(database: OpenDatabase, clock: Clock) {
    const recent = <Change extends Row>(read: Read<Change>, losses: readonly EventType[]) =>
      new RecentChanges(database, clock, read, losses);
    this.#people = recent(peopleChangedSince, ['user.removed', 'user.role_changed', 'app.uninstalled']);
    this.#grants = recent(grantsRevokedSince, ['grant.revoked', 'app.uninstalled', 'user.removed']);
    // A change of an app is recorded in the audit log only.
    this.#apps = recent(appsChangedSince, []);
    this.#sessions = recent(sessionsEndedSince, ['session.revoked', 'user.password_changed']);
  }

  /**
   * Returns the holder of a verified access token, limited to the person's current role and the app's current scopes: synchronously
   * while the changes are fresh, which is nearly always the case.
   *
   * @throws ApiError `invalid_token` if the person was removed, the session or the app's grant has ended, `unavailable` when the
   *   database cannot be read; thrown or rejected.
   */
  now(principal: Principal): Principal | Promise<Principal> {
    const time = monotonicTime();
    const relevant = this.#changesFor(principal);
    const areFresh = relevant.every((changes) => changes.isFreshAt(time));
    return areFresh ? this.#withCurrentRights(principal) : this.#refreshed(principal, relevant);
  }

  #changesFor({ grant, sessionId }: Principal) {
    // Only apps have a grant, and only people who have signed in have a session.
    if (grant) return [this.#people, this.#grants, this.#apps];
    return sessionId === undefined ? [this.#people] : [this.#people, this.#sessions];
  }

  /** Unsubscribes from the database. */
  close(): void {
    for (const changes of [this.#people, this.#grants, this.#apps, this.#sessions]) changes.close();
  }

  async #refreshed(principal: Principal, all: readonly { refresh(): Promise<void> }[]): Promise<Principal> {
    await Promise.all(all.map((changes) => changes.refresh()));
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
    const app = principal.grant && this.#apps.find(principal.grant.appId);
    return app ? limitedToScopes(principal, app.scopes) : principal;
  }
}

/**
 * Changes that happened since the oldest valid tokens were signed. They are read again when they are older than
 * {@link LIMITS.presenceAge}: one statement per process and second, however many callers there are.
 */
class RecentChanges<Change extends Row> {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #readSince: Read<Change>;
  /** Unsubscribes from the database. */
  readonly close: () => void;
  /** The changes by id, and when they were last read, in milliseconds since the epoch. */
  readonly #changes = new Map<number, { readonly change: Change; readonly readAt: number }>();
  /** When the last read began, by the monotonic clock: the changes are no older than that. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Changes up to this time have been read, in milliseconds since the epoch. */
  #readTo = Number.NEGATIVE_INFINITY;
  readonly #read = sharedRun(() => this.#readChanges());
  /** Incremented by each loss of rights: concurrent reads may have missed it. */
  #losses = 0;

  /** @param losses types of events that revoke rights: after such an event in this process, the changes are read again at once. */
  constructor(database: OpenDatabase, clock: Clock, read: Read<Change>, losses: readonly EventType[]) {
    this.#database = database;
    this.#clock = clock;
    this.#readSince = read;
    this.close = database.onGrowth((_orgs, types) => {
      if (losses.some((type) => types.has(type))) this.#forget();
    });
  }

  /** @param time of the monotonic clock. */
  isFreshAt(time: number): boolean {
    return time - this.#readAt < LIMITS.presenceAge;
  }

  /** The last recent change of the row with this id; undefined if there was none. */
  find(id: number): Change | undefined {
    return this.#changes.size === 0 ? undefined : this.#changes.get(id)?.change;
  }

  /** Resolves when the changes are as fresh as they had to be at the time of the call, however long the reads take. */
  async refresh(): Promise<void> {
    const called = monotonicTime();
    while (!this.isFreshAt(called)) await this.#read();
  }

  #forget(): void {
    this.#losses += 1;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #readChanges(): Promise<void> {
    const losses = this.#losses;
    const began = monotonicTime();
    const now = this.#clock().getTime();
    // Without the minimum, setting the clock back would leave a gap.
    const from = Math.max(now - LIMITS.presenceMemory, Math.min(this.#readTo, now) - LIMITS.presenceOverlap);
    for (const change of await this.#readSince(this.#database, { since: new Date(from) })) {
      this.#changes.set(change.id, { change, readAt: now });
    }
    for (const [id, { readAt }] of this.#changes) {
      if (now - readAt > LIMITS.presenceMemory) this.#changes.delete(id);
    }
    this.#readTo = now;
    if (losses === this.#losses) this.#readAt = began;
  }
}
