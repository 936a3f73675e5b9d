import { type BudgetOptions, secondsUntil } from '../../rate-limit/bucket.ts';

/** Values of headers in the form of draft-ietf-httpapi-ratelimit-headers-10. */
export interface RateLimitHeaders {
  /** Of RateLimit-Policy (section 3): what a full bucket holds, and the seconds in which an empty one fills. */
  readonly policy: string;
  /** Of RateLimit (section 4): what is left in a bucket, and the seconds until it is full. */
  readonly limit: string;
}

/** Cached header values: most buckets are nearly full, so few amounts repeat. */
const KEPT = 1000;

/**
 * Makes the headers of a budget.
 *
 * @returns the headers for a number of available points; it is below 0 where more was spent than there was.
 */
export function createRateLimitHeaders(options: BudgetOptions): (available: number) => RateLimitHeaders {
  const { points } = options;
  const secondsUntilFull = (available: number) => secondsUntil(points, available, options);
  const policy = `"points";q=${points};w=${secondsUntilFull(0)}`;
  const known = new Map<number, RateLimitHeaders>();
  return (available) => {
    const whole = Math.floor(available);
    let headers = known.get(whole);
    if (!headers) {
      headers = { policy, limit: `"points";r=${Math.max(0, whole)};t=${secondsUntilFull(whole)}` };
      if (known.size >= KEPT) known.clear();
      known.set(whole, headers);
    }
    return headers;
  };
}
