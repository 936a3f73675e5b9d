/**
 * Callers with the rights that they have now. An access token says what its owner was when it was signed, for as long as it
 * lives; so the people who were changed since are kept here, and read again when a caller comes and they are older than
 * {@link LIMITS.presenceAge}. It is one statement per process and second, however many callers there are.
 */
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { type PersonChange, peopleChangedSince } from '../db/queries/standing.ts';
import { hasLeft } from './changes.ts';
import { type Principal, within } from './policy.ts';

/** Events that revoke rights. After one of this process cached rights are read again. */
const LOSSES: readonly string[] = ['user.removed', 'user.role_changed'];

export interface Presence {
  /**
   * The holder of a verified access token, with no more than its person's present role gives: at once while what is known is
   * fresh, which it nearly always is.
   *
   * @throws ApiError `invalid_token` for a person who has left, `unavailable` when the database cannot say; thrown or rejected.
   */
  now(principal: Principal): Principal | Promise<Principal>;
  /** Lets go of the database. */
  close(): void;
}

export interface PresenceOptions {
  readonly database: Database;
  readonly clock: Clock;
}

export function createPresence(options: PresenceOptions): Presence {
  return new ChangedPeople(options);
}

class ChangedPeople implements Presence {
  readonly #options: PresenceOptions;
  readonly #stopHearing: () => void;
  /** Those who were changed while tokens of today could have been signed. */
  readonly #people = new Map<number, Known>();
  /** When what is known began to be read, by the monotonic clock: it is no older than that. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Changes after this time are still to be read, in milliseconds since the epoch. */
  #readTo = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Incremented by each loss of rights: concurrent reads may have missed it. */
  #losses = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#stopHearing = options.database.onGrowth((_orgs, types) => {
      if (LOSSES.some((type) => types.has(type))) this.#forget();
    });
  }

  now(principal: Principal): Principal | Promise<Principal> {
    return this.#isFresh() ? this.#asNow(principal) : this.#afterReading(principal);
  }

  close(): void {
    this.#stopHearing();
  }

  #isFresh(): boolean {
    return monotonicTime() - this.#readAt < LIMITS.presenceAge;
  }

  #forget(): void {
    this.#losses += 1;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #asNow(principal: Principal): Principal {
    if (this.#people.size === 0) return principal;
    const known = this.#people.get(principal.userId);
    if (!known) return principal;
    if (known.person.removedAt !== null || known.person.org !== principal.org) throw hasLeft();
    return within(principal, known.person.role);
  }

  async #afterReading(principal: Principal): Promise<Principal> {
    while (!this.#isFresh()) await this.#read();
    return this.#asNow(principal);
  }

  /** Those who ask while it is being read wait for the same reading. */
  #read(): Promise<void> {
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readChanges(): Promise<void> {
    const { database, clock } = this.#options;
    const losses = this.#losses;
    const began = monotonicTime();
    const now = clock().getTime();
    // A clock that was set back would leave a gap.
    const from = Math.max(now - LIMITS.presenceMemory, Math.min(this.#readTo, now) - LIMITS.presenceOverlap);
    for (const person of await peopleChangedSince(database, new Date(from))) {
      this.#people.set(person.id, { person, readAt: now });
    }
    for (const [id, { readAt }] of this.#people) {
      if (now - readAt > LIMITS.presenceMemory) this.#people.delete(id);
    }
    this.#readTo = now;
    if (losses === this.#losses) this.#readAt = began;
  }
}

interface Known {
  readonly person: PersonChange;
  /** When it was read last, in milliseconds since the epoch. */
  readonly readAt: number;
}
