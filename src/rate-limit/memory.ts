import { LIMITS } from '../core/limits.ts';
import { type BudgetOptions, secondsUntil } from './bucket.ts';
import type { Allowance, Budget } from './budget.ts';

/** A budget whose answers are there at once. */
export interface MemoryBudget extends Budget {
  /** Buckets that are kept, `LIMITS.budgets` at most. */
  readonly size: number;
  take(key: string, points: number, at: Date): Allowance;
  settle(key: string, points: number, at: Date): void;
  /** Sets how much a bucket holds, as it is known from elsewhere. */
  set(key: string, points: number, at: Date): void;
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

  /** Forgets buckets that are full again, as a new one would be; and one that is not, where there are too many. */
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
    get size() {
      return buckets.size;
    },
    take(key, points, at) {
      const bucket = buckets.get(key) ?? add(key, at);
      bucket.fill(at);
      return bucket.take(points);
    },
    settle(key, points, at) {
      // One that was forgotten was full, so that there is nothing to give back to.
      const bucket = buckets.get(key) ?? (points > 0 ? add(key, at) : undefined);
      bucket?.settle(points);
    },
    set(key, points, at) {
      const bucket = buckets.get(key) ?? add(key, at);
      bucket.set(points, at);
    },
  };
}

/** A bucket that is full at first. */
class MemoryBucket {
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

  /** Adds what has flowed in until then. A clock that was put back adds nothing. */
  fill(at: Date): void {
    const passed = at.getTime() - this.#at;
    if (passed > 0) this.#points = Math.min(this.#options.points, this.#pointsAfter(passed));
    if (passed > 0 || passed < -DISORDER) this.#at += passed;
  }

  /** It changes nothing: whose bucket it is not may have called some time ago. */
  isFullAt(at: Date): boolean {
    return this.#pointsAfter(Math.max(0, at.getTime() - this.#at)) >= this.#options.points;
  }

  #pointsAfter(milliseconds: number): number {
    return this.#points + (milliseconds * this.#options.perSecond) / 1000;
  }
}
