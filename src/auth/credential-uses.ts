import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';

export interface CredentialUsesOptions {
  readonly database: Database;
  /** Writes when one was last used, unless that was done since another point in time. */
  readonly touch: (tx: Transaction, id: number, now: Date, unlessSince: Date) => Promise<void>;
  readonly clock: Clock;
  /** Called for every time that could not be written. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Writes when keys or certificates were last used, beside the requests that use them: no request waits for it, and none fails with it.
 * Each is tried at most once in {@link LIMITS.keyUseInterval}, also when writing fails.
 */
export class CredentialUses {
  readonly #options: CredentialUsesOptions;
  /**
   * When writing was last tried, oldest first, as far as it matters still. The row does not tell while it is being written,
   * nor when that failed, nor to a request that read it before.
   */
  readonly #tried = new Map<number, number>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: CredentialUsesOptions) {
    this.#options = options;
  }

  note({ id, lastUsedAt }: { readonly id: number; readonly lastUsedAt: Date | null }, now: Date): void {
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.#tried.get(id) ?? 0);
    if (now.getTime() - last < LIMITS.keyUseInterval) return;
    this.#remember(id, now.getTime());
    const writing = this.#write(id, now).finally(() => this.#running.delete(writing));
    this.#running.add(writing);
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
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
      await database.transaction((tx) => touch(tx, id, now, unlessSince));
    } catch (error) {
      onFailure(error);
    }
  }
}
