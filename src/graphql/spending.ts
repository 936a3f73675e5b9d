/** What one request spends of its caller's budget, and what the answer says about it. */
import type { Allowance, Budget } from '../budget/budget.ts';
import type { RateLimitHeaders } from '../budget/headers.ts';
import { ApiError } from '../errors.ts';
import type { Flow } from '../fair-queue.ts';

/** The cost of an operation as its answer tells it, in points. */
export interface CostReport {
  readonly requestedQueryCost: number;
  readonly actualQueryCost: number;
  readonly throttleStatus: {
    readonly maximumAvailable: number;
    readonly currentlyAvailable: number;
    /** Points a second. */
    readonly restoreRate: number;
  };
}

export class Spending {
  readonly #budget: Budget;
  readonly #key: string;
  readonly #at: Date;
  #requested = 0;
  #actual = 0;
  #available: number | undefined;

  /**
   * @param flow whose bucket it is.
   * @param at when the request came.
   */
  constructor(budget: Budget, { caller }: Flow, at: Date) {
    this.#budget = budget;
    this.#key = caller;
    this.#at = at;
  }

  /**
   * Takes what an operation costs at most. It gives no promise where the answer is there at once.
   *
   * @throws ApiError `rate_limited`, with the seconds after which there are as many points.
   */
  take(points: number): void | Promise<void> {
    const allowance = this.#budget.take(this.#key, points, this.#at);
    return allowance instanceof Promise
      ? allowance.then((answer) => this.#taken(answer, points))
      : this.#taken(allowance, points);
  }

  /** Settles the difference to what the operation has cost in the end. Nobody waits for the books to be kept. */
  settle(actual: number): void {
    const difference = actual - this.#requested;
    this.#actual = actual;
    if (difference === 0) return;
    void this.#budget.settle(this.#key, difference, this.#at);
    this.#available = Math.min(this.#budget.points, (this.#available ?? 0) - difference);
  }

  /** Undefined when nothing was spent. */
  get report(): CostReport | undefined {
    if (this.#available === undefined) return undefined;
    return {
      requestedQueryCost: this.#requested,
      actualQueryCost: this.#actual,
      throttleStatus: {
        maximumAvailable: this.#budget.points,
        currentlyAvailable: this.#left,
        restoreRate: this.#budget.perSecond,
      },
    };
  }

  /** What the headers of the answer tell of the budget. Undefined when nothing was spent. */
  get headers(): RateLimitHeaders | undefined {
    return this.#available === undefined ? undefined : this.#budget.tellLimit(this.#available);
  }

  get #left(): number {
    return Math.max(0, Math.floor(this.#available ?? 0));
  }

  #taken({ granted, available, retryAfter }: Allowance, points: number): void {
    this.#available = available;
    if (!granted) {
      throw new ApiError('rate_limited', { message: 'Your budget is used up. Wait a moment.', retryAfter });
    }
    this.#requested += points;
    this.#actual += points;
  }
}
