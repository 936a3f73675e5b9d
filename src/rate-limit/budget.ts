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
