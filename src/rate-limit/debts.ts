import { LRUCache } from 'lru-cache';
import { LIMITS } from '../core/limits.ts';

/** What an instance gave of one bucket. */
export interface Debt {
  /** Which of the instance's debts it is. */
  readonly number: number;
  readonly points: number;
}

interface GrowingDebt extends Debt {
  points: number;
  /** The time of `points`, in milliseconds since the epoch; at first, when the shared bucket is full. */
  at: number;
}

/**
 * What an instance gave by itself and the shared buckets do not know of yet. Had nothing been given, a bucket would have become full in
 * the meantime, and what flowed in after that would have been lost: what flows in at that time pays for what was given. Without that,
 * a caller who spends little during a long outage would be refused for as long after it.
 */
export class Debts {
  readonly #debts = new LRUCache<string, GrowingDebt>({ max: LIMITS.budgets });
  readonly #perSecond: number;
  #last = 0;

  /** @param perSecond what flows into a bucket, of which each instance has its share. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /**
   * Adds points that were given, or takes back some of them.
   *
   * @param fullIn milliseconds until the shared bucket is full, for the first points.
   */
  add(key: string, points: number, at: Date, fullIn: number): void {
    const known = this.#current(key, at);
    if (known) known.points += points;
    else if (points > 0) {
      this.#last += 1;
      this.#debts.set(key, { number: this.#last, points, at: at.getTime() + fullIn });
    }
    // What was given back after it had been taken out of the shared bucket is lost: of others' points none may come from nowhere.
    if (known && known.points <= 0) this.#debts.delete(key);
  }

  find(key: string, at: Date): Debt | undefined {
    const debt = this.#current(key, at);
    return debt && { ...debt };
  }

  /** Forgets a debt that was taken out of the shared bucket, unless it has grown since. */
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
