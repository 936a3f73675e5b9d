import { LIMITS } from '../core/limits.ts';

/** The budgets of callers: buckets of points that refill continuously. Operations of any door take their cost from them. */

/** The capacity of a bucket, and the rate at which it refills. */
export interface BudgetOptions {
  /** The capacity of a bucket in points. A new bucket is full. */
  readonly points: number;
  /** Points refilled per second. */
  readonly perSecond: number;
}

/** The outcome of a request for points. */
export interface Allowance {
  readonly granted: boolean;
  /** Points in the bucket afterwards; negative if more was spent than it held. */
  readonly available: number;
  /** Whole seconds until the bucket holds the requested points, if no other request spends any; 0 if granted. */
  readonly retryAfter: number;
  /** The bucket that the points were taken from. Points are only returned to the same bucket. */
  readonly bucket: Bucket;
}

/** The bucket that all instances share, or the one of this process. */
export type Bucket = 'shared' | 'own';

/** The methods of a budget never fail: if the shared buckets are unavailable, those of this process are used. */
export interface Budget extends BudgetOptions {
  /** Takes points from a caller's bucket, or none if it holds too few. Never more than a full bucket holds: compare with `points` first. */
  take(key: string, points: number, at: Date): Allowance | Promise<Allowance>;
  /**
   * Takes points that were already spent, even if the bucket holds fewer, or returns points that were taken, if negative.
   *
   * @param at when the points were taken, from `bucket`.
   */
  settle(key: string, points: number, at: Date, bucket: Bucket): void | Promise<void>;
}

/** Whole seconds until a bucket holds the wanted points. */
export function secondsUntil(wanted: number, available: number, { perSecond }: BudgetOptions): number {
  return wanted <= available ? 0 : Math.max(1, Math.ceil((wanted - available) / perSecond));
}

/** The number of buckets that are checked for each new one: more than one, so that their number can decrease. */
const LOOKS = 2;

/** Milliseconds by which times may be out of order, since an earlier time may be used later. Beyond that, the clock was set back. */
const DISORDER = 1000;

/** Creates a budget with buckets in the memory of this process, whose methods return synchronously. */
export function createMemoryBudget(options: BudgetOptions) {
  const buckets = new Map<string, MemoryBucket>();
  /** Iterates over all buckets in rounds, like the hand of a clock. */
  let hand = buckets.entries();

  /** Removes buckets that are full again, since a new one would be full as well; and another bucket if there are too many. */
  const makeRoom = (at: Date) => {
    let spent: string | undefined;
    for (let look = 1; look <= LOOKS; look += 1) {
      const { value: entry } = hand.next();
      if (!entry) {
        hand = buckets.entries();
        continue;
      }
      const [key, bucket] = entry;
      if (bucket.isFullAt(at)) buckets.delete(key);
      else spent = key;
    }
    if (spent !== undefined && buckets.size >= LIMITS.budgets) buckets.delete(spent);
  };

  const add = (key: string, at: Date): MemoryBucket => {
    makeRoom(at);
    const bucket = new MemoryBucket(options, at);
    buckets.set(key, bucket);
    return bucket;
  };

  return {
    ...options,
    /** The number of stored buckets, at most `LIMITS.budgets`. */
    get size() {
      return buckets.size;
    },
    take(key: string, points: number, at: Date): Allowance {
      const bucket = buckets.get(key) ?? add(key, at);
      bucket.fill(at);
      return bucket.take(points);
    },
    settle(key: string, points: number, at: Date): void {
      // A bucket that was removed was full, so nothing can be returned to it.
      const bucket = buckets.get(key) ?? (points > 0 ? add(key, at) : undefined);
      bucket?.settle(points);
    },
    /** Sets the points of a bucket, as known from the shared bucket. */
    set(key: string, points: number, at: Date): void {
      const bucket = buckets.get(key) ?? add(key, at);
      bucket.set(points, at);
    },
  };
}

/** A bucket that is initially full. */
class MemoryBucket {
  readonly #options: BudgetOptions;
  #points: number;
  /** When the bucket was last refilled, in milliseconds since the epoch. */
  #at: number;

  constructor(options: BudgetOptions, at: Date) {
    this.#options = options;
    this.#points = options.points;
    this.#at = at.getTime();
  }

  take(points: number): Allowance {
    const granted = this.#points >= points;
    if (granted) this.#points -= points;
    const available = this.#points;
    const retryAfter = granted ? 0 : secondsUntil(points, available, this.#options);
    return { granted, available, retryAfter, bucket: 'own' };
  }

  settle(points: number): void {
    this.#points = Math.min(this.#options.points, this.#points - points);
  }

  set(points: number, at: Date): void {
    this.#points = points;
    this.#at = at.getTime();
  }

  /** Adds the refill up to a time. A clock that was set back adds nothing. */
  fill(at: Date): void {
    const passed = at.getTime() - this.#at;
    if (passed > 0) this.#points = Math.min(this.#options.points, this.#pointsAfter(passed));
    if (passed > 0 || passed < -DISORDER) this.#at += passed;
  }

  /** Whether the bucket is full at a time. It changes nothing, since the time may be that of an earlier request of another caller. */
  isFullAt(at: Date): boolean {
    return this.#pointsAfter(Math.max(0, at.getTime() - this.#at)) >= this.#options.points;
  }

  #pointsAfter(milliseconds: number): number {
    return this.#points + (milliseconds * this.#options.perSecond) / 1000;
  }
}
