/** The points that one request takes from its caller's budget, and the report in the response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import type { Allowance, Bucket, Budget } from '../rate-limit/budget.ts';

export class RequestCost {
  readonly #budget: Budget;
  readonly #key: string;
  readonly #at: Date;
  #requested = 0;
  #actual = 0;
  /** The points that were taken and not settled yet. */
  #unsettled = 0;
  #available: number | undefined;
  /** The bucket of the operation's points. */
  #bucket: Bucket = 'own';

  constructor(budget: Budget, { caller }: Flow, at: Date) {
    this.#budget = budget;
    this.#key = caller;
    this.#at = at;
  }

  /** Notes the maximum cost of an operation for the report, whether or not its points are then taken. */
  request(points: number): void {
    this.#requested += points;
  }

  /** Takes the maximum cost of an operation, at once if possible. @throws ApiError `rate_limited`; `cost_exceeded` above a full budget. */
  take(points: number): void | Promise<void> {
    return this.#demand(points, true);
  }

  /** Takes points for other work, such as reading a document, which the response does not report. @throws as {@link take} does. */
  pay(points: number): void | Promise<void> {
    return this.#demand(points, false);
  }

  /** Like {@link pay}, for optional work. Returns whether there were enough points, without delaying a refusal. */
  async tryToPay(points: number): Promise<boolean> {
    return points <= this.most && (await this.#ask(points, false)).granted;
  }

  /** Adds what neither price nor response of the operation shows, such as rows that a page has skipped, however few points are left. */
  spend(points: number): void {
    if (points === 0) return;
    this.#actual += points;
    this.#charge(points);
  }

  /** Settles the difference between the points taken and the actual cost, without waiting. */
  settle(actual: number): void {
    const difference = actual - this.#unsettled;
    this.#unsettled = 0;
    this.#actual += difference;
    if (difference !== 0) this.#charge(difference);
  }

  /** @param points negative to return points. */
  #charge(points: number): void {
    void this.#budget.settle(this.#key, points, this.#at, this.#bucket);
    this.#available = Math.min(this.#budget.points, (this.#available ?? 0) - points);
  }

  /** Milliseconds until the budget holds this many points, or is full, if no other request spends any; 0 if nothing was spent yet. */
  timeUntil(points: number): number {
    const wanted = Math.min(points, this.#budget.points);
    const missing = wanted - (this.#available ?? wanted);
    return Math.max(0, (missing / this.#budget.perSecond) * 1000);
  }

  /** The points that a full budget holds. */
  get most(): number {
    return this.#budget.points;
  }

  /** The points that the operation has cost so far. */
  get actual(): number {
    return this.#actual;
  }

  /** The report for the response, in points; undefined if nothing was spent. */
  get report() {
    if (this.#available === undefined) return undefined;
    return {
      /** The maximum cost without skipped rows, also of a refused operation; 0 if it was refused before it had a price. */
      requestedQueryCost: this.#requested,
      /** The actual cost, which skipped rows can raise above the requested one; 0 for an operation that was refused. */
      actualQueryCost: this.#actual,
      throttleStatus: {
        maximumAvailable: this.#budget.points,
        currentlyAvailable: Math.max(0, Math.floor(this.#available)),
        restoreRate: this.#budget.perSecond,
      },
    };
  }

  /** The remaining points, negative for a debt. Undefined if nothing was spent. */
  get available(): number | undefined {
    return this.#available;
  }

  #demand(points: number, isOperation: boolean): void | Promise<void> {
    if (points > this.#budget.points) {
      throw new ApiError('cost_exceeded', {
        message: `This costs up to ${points} points, more than a full budget of ${this.#budget.points}. Ask for less at once.`,
      });
    }
    const allowance = this.#ask(points, isOperation);
    if (allowance instanceof Promise) return allowance.then(refuseUnlessGranted);
    return refuseUnlessGranted(allowance);
  }

  #ask(points: number, isOperation: boolean): Allowance | Promise<Allowance> {
    const allowance = this.#budget.take(this.#key, points, this.#at);
    return allowance instanceof Promise
      ? allowance.then((answer) => this.#note(answer, points, isOperation))
      : this.#note(allowance, points, isOperation);
  }

  #note(allowance: Allowance, points: number, isOperation: boolean): Allowance {
    this.#available = allowance.available;
    if (!allowance.granted || !isOperation) return allowance;
    this.#bucket = allowance.bucket;
    this.#unsettled += points;
    this.#actual += points;
    return allowance;
  }
}

/** Delays refusals, so that a client that retries immediately cannot keep a core busy. */
function refuseUnlessGranted({ granted, retryAfter }: Allowance): void | Promise<void> {
  if (granted) return;
  return sleep(LIMITS.refusalDelay).then(() => {
    throw new ApiError('rate_limited', {
      message: 'Your budget is used up. Retry after the delay in Retry-After.',
      retryAfter,
    });
  });
}
