/**
 * What a caller may spend: a bucket of points that fills again by itself. Every operation takes its cost out of the bucket
 * of its caller, through whichever door.
 */
import type { BudgetOptions } from './bucket.ts';

/** What became of a request for points, and what is left. */
export interface Allowance {
  readonly granted: boolean;
  /** Points in the bucket afterwards; below 0 where more was spent than there was. */
  readonly available: number;
  /** Whole seconds after which as many points are there as were asked for, if no other request spends any. 0 when granted. */
  readonly retryAfter: number;
  /** Which bucket was asked. Points are given back to the bucket that they were taken from, and to no other. */
  readonly bucket: Bucket;
}

/** The bucket that all instances share, or the one of this process. */
export type Bucket = 'shared' | 'own';

/** Neither of its methods ever fails: without the place where buckets are kept there is another one. */
export interface Budget extends BudgetOptions {
  /**
   * Takes points out of a bucket, or leaves it as it is when there are too few. More than a bucket holds is never granted, so
   * callers compare with `points` first: no `retryAfter` would be true.
   *
   * @param key whose bucket it is.
   * @param at what time it is.
   */
  take(key: string, points: number, at: Date): Allowance | Promise<Allowance>;
  /**
   * Takes points that have been spent already, whether they are there or not; below 0 it gives points back, of which there
   * must not be more than were taken.
   *
   * @param at when the points were taken to which these are the difference.
   * @param bucket where they were taken from.
   */
  settle(key: string, points: number, at: Date, bucket: Bucket): void | Promise<void>;
}
