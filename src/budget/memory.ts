import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { type Allowance, type Bucket, type Budget, type BudgetOptions, secondsUntil } from './budget.ts';

/** A budget whose answers are there at once. */
export interface MemoryBudget extends Budget {
  bucketOf(key: string): MemoryBucket;
}

/** Buckets in this process. */
export function createMemoryBudget(options: BudgetOptions, clock: Clock): MemoryBudget {
  // One that was forgotten is full again, as it would be anyhow after the time in which so many others were used.
  const buckets = new LRUCache<string, MemoryBucket>({ max: LIMITS.budgets });
  return {
    ...options,
    bucketOf(key) {
      let bucket = buckets.get(key);
      if (!bucket) {
        bucket = new MemoryBucket(options, clock);
        buckets.set(key, bucket);
      }
      return bucket;
    },
  };
}

/** A bucket that is full at first. */
class MemoryBucket implements Bucket {
  readonly #options: BudgetOptions;
  readonly #clock: Clock;
  #points: number;
  /** When it was last looked at how much has flowed in, in milliseconds since the epoch. */
  #at: number;

  constructor(options: BudgetOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#points = options.points;
    this.#at = clock().getTime();
  }

  take(points: number): Allowance {
    this.#fill();
    const wanted = Math.min(points, this.#options.points);
    if (this.#points >= wanted) return this.settle(wanted);
    const available = this.#points;
    return { granted: false, available, retryAfter: secondsUntil(wanted, available, this.#options) };
  }

  /** What flows in meanwhile is added when somebody takes from the bucket again. */
  settle(points: number): Allowance {
    this.#points = Math.min(this.#options.points, this.#points - points);
    return { granted: true, available: this.#points, retryAfter: 0 };
  }

  /** A clock that was put back adds nothing. */
  #fill(): void {
    const { points, perSecond } = this.#options;
    const now = this.#clock().getTime();
    const passed = Math.max(0, now - this.#at);
    this.#points = Math.min(points, this.#points + (passed * perSecond) / 1000);
    this.#at = now;
  }
}
