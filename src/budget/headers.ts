import type { BudgetOptions } from './budget.ts';

/** Values of headers in the form of draft-ietf-httpapi-ratelimit-headers-10. */
export interface RateLimitHeaders {
  /** Of RateLimit-Policy (section 3): what a full bucket holds, and the seconds in which an empty one fills. */
  readonly policy: string;
  /** Of RateLimit (section 4): what is left in a bucket, and the seconds until it is full. */
  readonly limit: string;
}

/** Amounts whose headers are kept. Most buckets are nearly full most of the time, so that the same few are told again and again. */
const KEPT = 1000;

/** Tells what is left in a bucket: whole points, from 0 to those of a full one. */
export type TellLimit = (left: number) => RateLimitHeaders;

/** What answers tell of a budget. */
export function createTellLimit({ points, perSecond }: BudgetOptions): TellLimit {
  const secondsToGain = (wanted: number) => Math.ceil(wanted / perSecond);
  const policy = `"points";q=${points};w=${secondsToGain(points)}`;
  const known = new Map<number, RateLimitHeaders>();
  return (left) => {
    let headers = known.get(left);
    if (!headers) {
      headers = { policy, limit: `"points";r=${left};t=${secondsToGain(points - left)}` };
      if (known.size >= KEPT) known.clear();
      known.set(left, headers);
    }
    return headers;
  };
}
