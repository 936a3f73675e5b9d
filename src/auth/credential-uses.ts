import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { PendingWork } from '../core/pending-work.ts';
import type { Database } from '../db/database.ts';
import type { touchIn } from '../db/queries/credentials.ts';

export interface CredentialUsesOptions {
  readonly database: Database;
  /** Writes the time of the last use, unless another one was written since `unlessSince`. */
  readonly touch: ReturnType<typeof touchIn>;
  readonly clock: Clock;
  /** Called for each write that failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records when keys or certificates were last used. This happens in the background: it never delays a request or makes it fail.
 * Each is written at most once per {@link LIMITS.keyUseInterval}, even if writing fails.
 */
export class CredentialUses {
  readonly #options: CredentialUsesOptions;
  /**
   * The times of the last attempts to write, oldest first, as long as they matter. The row does not show the time while it is being
   * written, after a failure, or to a request that read the row before.
   */
  readonly #tried = new Map<number, number>();
  readonly #pending = new PendingWork();

  constructor(options: CredentialUsesOptions) {
    this.#options = options;
  }

  note({ id, lastUsedAt }: { readonly id: number; readonly lastUsedAt: Date | null }, now: Date): void {
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.#tried.get(id) ?? 0);
    if (now.getTime() - last < LIMITS.keyUseInterval) return;
    this.#remember(id, now.getTime());
    void this.#pending.add(this.#write(id, now));
  }

  /** Resolves when all writes have finished. */
  settled(): Promise<void> {
    return this.#pending.settled();
  }

  #remember(id: number, now: number): void {
    this.#tried.delete(id);
    this.#tried.set(id, now);
    for (const [key, time] of this.#tried) {
      if (now - time < LIMITS.keyUseInterval) break;
      this.#tried.delete(key);
    }
  }

  async #write(id: number, now: Date): Promise<void> {
    const { database, touch, onFailure } = this.#options;
    const unlessSince = new Date(now.getTime() - LIMITS.keyUseInterval);
    try {
      await database.transaction((tx) => touch(tx, { id, now, unlessSince }));
    } catch (error) {
      onFailure(error);
    }
  }
}
