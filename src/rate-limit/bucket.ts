/** The capacity of a bucket, and the rate at which it refills. */
export interface BudgetOptions {
  /** The capacity of a bucket in points. A new bucket is full. */
  readonly points: number;
  /** Points refilled per second. */
  readonly perSecond: number;
}

/** Whole seconds until a bucket holds the wanted points. */
export function secondsUntil(wanted: number, available: number, { perSecond }: BudgetOptions): number {
  return wanted <= available ? 0 : Math.max(1, Math.ceil((wanted - available) / perSecond));
}
