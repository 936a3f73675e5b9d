import { type BudgetOptions, secondsUntil } from './bucket.ts';

/** Values of headers in the form of draft-ietf-httpapi-ratelimit-headers-10. */
export interface RateLimitHeaders {
  /** Of RateLimit-Policy (section 3): what a full bucket holds, and the seconds in which an empty one fills. */
  readonly policy: string;
  /** Of RateLimit (section 4): what is left in a bucket, and the seconds until it is full. */
  readonly limit: string;
}

/** Amounts whose headers are kept. Most buckets are nearly full most of the time, so that the same few are told again and again. */
const KEPT = 1000;

/** Tells how many points there are in a bucket; below 0 where more was spent than there was. */
export type TellLimit = (available: number) => RateLimitHeaders;

/** What answers tell of a budget. */
export function createTellLimit(options: BudgetOptions): TellLimit {
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
