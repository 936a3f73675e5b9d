import { LIMITS } from '../limits.ts';
import {
  type Allowance,
  type Bucket,
  type Budget,
  type BudgetOptions,
  policyOf,
  secondsUntil,
} from './budget.ts';

/** A budget whose answers are there at once. */
export interface MemoryBudget extends Budget {
  /** Buckets that are kept, `LIMITS.budgets` at most. */
  readonly size: number;
  bucketOf(key: string, at: Date): MemoryBucket;
}

/** Buckets that are looked at for each new one: more than one, so that they become fewer when those that come do. */
const LOOKS = 2;

/** Milliseconds by which times may be out of order: what is read first may be used last. A clock that is further back was put back. */
const DISORDER = 1000;

/** Buckets in this process. */
export function createMemoryBudget(options: BudgetOptions): MemoryBudget {
  const buckets = new Map<string, MemoryBucket>();
  /** It goes round all of them, like the hand of a clock. */
  let hand = buckets.entries();

  /** Forgets buckets that are full again, as a new one would be; and where there are too many, one that is not. */
  const makeRoom = (at: Date) => {
    for (let look = 1; look <= LOOKS; look += 1) {
      const { value: entry } = hand.next();
      if (!entry) hand = buckets.entries();
      else if (entry[1].isFull(at) || buckets.size >= LIMITS.budgets) buckets.delete(entry[0]);
    }
  };

  return {
    ...options,
    policy: policyOf(options),
    get size() {
      return buckets.size;
    },
    bucketOf(key, at) {
      let bucket = buckets.get(key);
      if (bucket) bucket.fill(at);
      else {
        makeRoom(at);
        bucket = new MemoryBucket(options, at);
        buckets.set(key, bucket);
      }
      return bucket;
    },
  };
}

/** A bucket that is full at first. */
class MemoryBucket implements Bucket {
  readonly #options: BudgetOptions;
  #points: number;
  /** When it was last looked at how much has flowed in, in milliseconds since the epoch. */
  #at: number;

  constructor(options: BudgetOptions, at: Date) {
    this.#options = options;
    this.#points = options.points;
    this.#at = at.getTime();
  }

  take(points: number): Allowance {
    const wanted = Math.min(points, this.#options.points);
    const granted = this.#points >= wanted;
    if (granted) this.#points -= wanted;
    const available = this.#points;
    return { granted, available, retryAfter: granted ? 0 : secondsUntil(wanted, available, this.#options) };
  }

  settle(points: number): void {
    this.#points = Math.min(this.#options.points, this.#points - points);
  }

  /** Adds what has flowed in until then. A clock that was put back adds nothing. */
  fill(at: Date): void {
    const passed = at.getTime() - this.#at;
    if (passed > 0) this.#points = this.#pointsAfter(passed);
    if (passed > 0 || passed < -DISORDER) this.#at += passed;
  }

  isFull(at: Date): boolean {
    return this.#pointsAfter(at.getTime() - this.#at) >= this.#options.points;
  }

  #pointsAfter(milliseconds: number): number {
    const { points, perSecond } = this.#options;
    return Math.min(points, this.#points + (milliseconds * perSecond) / 1000);
  }
}
