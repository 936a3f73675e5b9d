import { LRUCache } from 'lru-cache';
import { LIMITS } from '../core/limits.ts';

/** Points that an instance granted from its own bucket of one caller. */
export interface Debt {
  /** The number of the debt within the instance. */
  readonly number: number;
  readonly points: number;
}

interface GrowingDebt extends Debt {
  points: number;
  /** When `points` was last updated, in milliseconds since the epoch; initially, when the shared bucket would be full. */
  at: number;
}

/**
 * Points that an instance granted from its own buckets, and still owes the shared ones. A shared bucket would have become full meanwhile, so
 * refills from that time on reduce the debt: a caller who spends little must not be refused for long after a long outage.
 */
export class Debts {
  readonly #debts = new LRUCache<string, GrowingDebt>({ max: LIMITS.budgets });
  readonly #perSecond: number;
  #last = 0;

  /** @param perSecond points per second that refill a bucket of this instance. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Adds points that were granted, or returned. A new debt begins when the shared bucket would be full, `fullIn` milliseconds from now. */
  add(key: string, points: number, at: Date, fullIn: number): void {
    const known = this.#current(key, at);
    if (known) known.points += points;
    else if (points > 0) {
      this.#last += 1;
      this.#debts.set(key, { number: this.#last, points, at: at.getTime() + fullIn });
    }
    // Points that are returned after their debt was taken from the shared bucket are lost, so that none are created from nothing.
    if (known && known.points <= 0) this.#debts.delete(key);
  }

  find(key: string, at: Date): Debt | undefined {
    const debt = this.#current(key, at);
    return debt && { ...debt };
  }

  /** Removes a debt that was taken from the shared bucket, unless it has grown since. */
  forget(key: string, { number, points }: Debt): void {
    const debt = this.#debts.get(key);
    if (debt?.number === number && debt.points <= points) this.#debts.delete(key);
  }

  #current(key: string, at: Date): GrowingDebt | undefined {
    const debt = this.#debts.get(key);
    const passed = debt ? at.getTime() - debt.at : 0;
    if (debt && passed > 0) {
      debt.points -= (passed * this.#perSecond) / 1000;
      debt.at += passed;
      if (debt.points <= 0) this.#debts.delete(key);
    }
    return debt && debt.points > 0 ? debt : undefined;
  }
}
