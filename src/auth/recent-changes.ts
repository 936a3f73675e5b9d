/**
 * What was changed while tokens of today could have been signed, read again when it is older than {@link LIMITS.presenceAge}: one
 * statement per process and second, however many ask.
 */
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';

export interface RecentChangesOptions<Change> {
  readonly database: Database;
  readonly clock: Clock;
  /** Reads what was changed after a time. */
  readonly read: (since: Date) => Promise<readonly Change[]>;
  readonly idOf: (change: Change) => number;
  /** Events that revoke rights. After one of this process what is known is read again. */
  readonly losses: readonly string[];
}

export class RecentChanges<Change> {
  readonly #options: RecentChangesOptions<Change>;
  readonly #stopHearing: () => void;
  readonly #changes = new Map<number, Known<Change>>();
  /** When what is known began to be read, by the monotonic clock: it is no older than that. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Changes after this time are still to be read, in milliseconds since the epoch. */
  #readTo = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Incremented by each loss of rights: concurrent reads may have missed it. */
  #losses = 0;

  constructor(options: RecentChangesOptions<Change>) {
    this.#options = options;
    this.#stopHearing = options.database.onGrowth((_orgs, types) => {
      if (options.losses.some((type) => types.has(type))) this.#forget();
    });
  }

  get isFresh(): boolean {
    return monotonicTime() - this.#readAt < LIMITS.presenceAge;
  }

  /** The last change of what has this id; undefined where there was none of late. */
  find(id: number): Change | undefined {
    return this.#changes.size === 0 ? undefined : this.#changes.get(id)?.change;
  }

  /** Resolves when what is known is fresh. */
  async refresh(): Promise<void> {
    while (!this.isFresh) await this.#read();
  }

  /** Lets go of the database. */
  close(): void {
    this.#stopHearing();
  }

  #forget(): void {
    this.#losses += 1;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Those who ask while it is being read wait for the same reading. */
  #read(): Promise<void> {
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readChanges(): Promise<void> {
    const { clock, read, idOf } = this.#options;
    const losses = this.#losses;
    const began = monotonicTime();
    const now = clock().getTime();
    // A clock that was set back would leave a gap.
    const from = Math.max(now - LIMITS.presenceMemory, Math.min(this.#readTo, now) - LIMITS.presenceOverlap);
    for (const change of await read(new Date(from))) {
      this.#changes.set(idOf(change), { change, readAt: now });
    }
    for (const [id, { readAt }] of this.#changes) {
      if (now - readAt > LIMITS.presenceMemory) this.#changes.delete(id);
    }
    this.#readTo = now;
    if (losses === this.#losses) this.#readAt = began;
  }
}

interface Known<Change> {
  readonly change: Change;
  /** When it was read last, in milliseconds since the epoch. */
  readonly readAt: number;
}
