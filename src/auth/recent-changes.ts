/**
 * Changes that happened since the oldest valid tokens were signed. They are read again when they are older than
 * {@link LIMITS.presenceAge}: one statement per process and second, however many callers there are.
 */
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';

export interface RecentChangesOptions<Change extends { readonly id: number }> {
  readonly database: Database;
  readonly clock: Clock;
  /** Reads the changes after a time. */
  readonly read: (since: Date) => Promise<readonly Change[]>;
  /** Types of events that revoke rights. After such an event in this process, the changes are read again at once. */
  readonly losses: readonly string[];
}

export class RecentChanges<Change extends { readonly id: number }> {
  readonly #options: RecentChangesOptions<Change>;
  readonly #unsubscribe: () => void;
  readonly #changes = new Map<number, Known<Change>>();
  /** When the last read began, by the monotonic clock: the changes are no older than that. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Changes up to this time have been read, in milliseconds since the epoch. */
  #readTo = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Incremented by each loss of rights: concurrent reads may have missed it. */
  #losses = 0;

  constructor(options: RecentChangesOptions<Change>) {
    this.#options = options;
    this.#unsubscribe = options.database.onGrowth((_orgs, types) => {
      if (options.losses.some((type) => types.has(type))) this.#forget();
    });
  }

  get isFresh(): boolean {
    return monotonicTime() - this.#readAt < LIMITS.presenceAge;
  }

  /** The last recent change of the row with this id; undefined if there was none. */
  find(id: number): Change | undefined {
    return this.#changes.size === 0 ? undefined : this.#changes.get(id)?.change;
  }

  /** Resolves when the changes are fresh. */
  async refresh(): Promise<void> {
    while (!this.isFresh) await this.#read();
  }

  /** Unsubscribes from the database. */
  close(): void {
    this.#unsubscribe();
  }

  #forget(): void {
    this.#losses += 1;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Concurrent calls share one read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readChanges(): Promise<void> {
    const { clock, read } = this.#options;
    const losses = this.#losses;
    const began = monotonicTime();
    const now = clock().getTime();
    // Without the minimum, setting the clock back would leave a gap.
    const from = Math.max(now - LIMITS.presenceMemory, Math.min(this.#readTo, now) - LIMITS.presenceOverlap);
    for (const change of await read(new Date(from))) {
      this.#changes.set(change.id, { change, readAt: now });
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
  /** When the change was last read, in milliseconds since the epoch. */
  readonly readAt: number;
}
