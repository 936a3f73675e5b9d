/** How much the bucket holds, and how fast it fills. */
export interface BudgetOptions {
  /** Points that a bucket holds at most, and a new one at once. */
  readonly points: number;
  /** Points refilled per second. */
  readonly perSecond: number;
}

/** Whole seconds until a bucket has as many points. */
export function secondsUntil(wanted: number, available: number, { perSecond }: BudgetOptions): number {
  return wanted <= available ? 0 : Math.max(1, Math.ceil((wanted - available) / perSecond));
}
