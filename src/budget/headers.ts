import type { BudgetOptions } from './budget.ts';

/** Texts that are kept. Most buckets are nearly full most of the time, so that the same few amounts are told again and again. */
const KEPT = 1000;

/** What answers tell of a budget, in the form of draft-ietf-httpapi-ratelimit-headers-10. */
export class RateLimitHeaders {
  /** Of RateLimit-Policy (section 3): what a full bucket holds, and the seconds in which an empty one fills. */
  readonly policy: string;
  readonly #options: BudgetOptions;
  readonly #texts = new Map<number, string>();

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.policy = `"points";q=${options.points};w=${this.#secondsToGain(options.points)}`;
  }

  /**
   * Of RateLimit (section 4): what a bucket holds, and the seconds until it is full.
   *
   * @param left whole points, from 0 to those of a full bucket.
   */
  limit(left: number): string {
    let text = this.#texts.get(left);
    if (text === undefined) {
      text = `"points";r=${left};t=${this.#secondsToGain(this.#options.points - left)}`;
      if (this.#texts.size >= KEPT) this.#texts.clear();
      this.#texts.set(left, text);
    }
    return text;
  }

  #secondsToGain(points: number): number {
    return Math.ceil(points / this.#options.perSecond);
  }
}
