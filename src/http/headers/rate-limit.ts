import { type BudgetOptions, secondsUntil } from '../../rate-limit/budget.ts';

/** Values of the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export interface RateLimitHeaders {
  /** The value of RateLimit-Policy (section 3): the points of a full bucket, and the seconds in which an empty one refills. */
  readonly policy: string;
  /** The value of RateLimit (section 4): the points left in a bucket, and the seconds until it is full. */
  readonly limit: string;
}

/**
 * Creates the headers of a budget.
 *
 * @returns a function from the available points, which are negative after overspending, to the headers.
 */
export function createRateLimitHeaders(options: BudgetOptions): (available: number) => RateLimitHeaders {
  const { points } = options;
  const secondsUntilFull = (available: number) => secondsUntil(points, available, options);
  const policy = `"points";q=${points};w=${secondsUntilFull(0)}`;
  return (available) => {
    const whole = Math.floor(available);
    return { policy, limit: `"points";r=${Math.max(0, whole)};t=${secondsUntilFull(whole)}` };
  };
}
