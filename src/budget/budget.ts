/**
 * What a caller may spend: a bucket of points that fills again by itself. Every operation takes its cost out of the bucket
 * of whoever sent it, through whichever door.
 */

/** How much the bucket holds, and how fast it fills. */
export interface BudgetOptions {
  /** Points that a bucket holds at most, and a new one at once. */
  readonly points: number;
  /** Points that come back in a second. */
  readonly perSecond: number;
}

/** What became of a request for points, and what is left. */
export interface Allowance {
  readonly granted: boolean;
  /** Points in the bucket afterwards; below 0 where more was spent than there was. */
  readonly available: number;
  /** Whole seconds after which as many points are there as were asked for, if nobody else spends any. 0 when granted. */
  readonly retryAfter: number;
}

/** Neither of its methods ever fails: without the place where buckets are kept there is another one. */
export interface Budget extends BudgetOptions {
  /**
   * Takes points out of a bucket, or leaves it as it is when there are too few. What costs more than a bucket holds takes
   * a full one.
   *
   * @param key whose bucket.
   */
  take(key: string, points: number): Allowance | Promise<Allowance>;
  /** Takes points that have been spent already, whether they are there or not; below 0 it gives points back. */
  settle(key: string, points: number): Allowance | Promise<Allowance>;
}

/** A bucket as it was when it was last looked at. */
export interface Level {
  points: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A bucket that nobody has spent from. */
export const fullAt = ({ points }: BudgetOptions, at: number): Level => ({ points, at });

/** Adds what has flowed in since the bucket was last looked at. A clock that was put back adds nothing. */
export function fill(level: Level, { points, perSecond }: BudgetOptions, now: number): void {
  const passed = Math.max(0, now - level.at);
  level.points = Math.min(points, level.points + (passed * perSecond) / 1000);
  level.at = now;
}

/** Whole seconds until a bucket has as many points. */
export function secondsUntil(wanted: number, available: number, { perSecond }: BudgetOptions): number {
  return wanted <= available ? 0 : Math.max(1, Math.ceil((wanted - available) / perSecond));
}
