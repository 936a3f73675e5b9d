/**
 * Decides when an operation starts. JavaScript and SQLite run on one thread, so an operation of some milliseconds delays all others.
 * Each turn of the event loop therefore first reads the sockets, then starts as many of the waiting operations as it has time for,
 * fairly between organisations and between their callers, and then sends their responses.
 *
 * Doing the same for all requests before the next is also faster than doing everything for one request before the next, since code and
 * data are still in the caches of the processor, and clients are woken once: with 32 connections on SQLite, reading an order takes
 * 0.71 of the processor time, and reading a page of 20 orders 0.83.
 */
import { monotonicTime } from '../core/clock.ts';
import { type AbortSignalLike, onAbort } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { FairQueue, type Flow, type Queued } from '../core/fair-queue.ts';
import { FairSlots } from '../core/fair-slots.ts';
import { LIMITS } from '../core/limits.ts';
import { beginTurn, endTurn, noteStart } from '../core/turn.ts';
import type { ShedCause } from '../observability/metrics.ts';

export interface SchedulerOptions {
  /** Called for each operation that is shed. */
  readonly onShed?: ((cause: ShedCause, flow: Flow) => void) | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly time?: () => number;
  /** Calls a function in the next turn of the event loop, after sockets were read. */
  readonly nextTurn?: (turn: () => void) => void;
  /** Milliseconds of a turn in which operations start. With 0, each turn starts one. */
  readonly turnTime?: number;
  readonly capacity?: () => number;
  /** Milliseconds that an operation may wait while many others do. */
  readonly patience: number;
}

interface Waiting {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

export class Scheduler {
  readonly #queue = new FairQueue<Waiting>();
  /** Waiting operations in order of arrival, except those already found to have waited too long. */
  readonly #arrivals = new Set<Queued<Waiting>>();
  readonly #onShed: NonNullable<SchedulerOptions['onShed']>;
  readonly #time: () => number;
  readonly #nextTurn: (turn: () => void) => void;
  readonly #turnTime: number;
  readonly #capacity: () => number;
  readonly #patience: number;
  /** Whether a turn is due or running. */
  #isCalled = false;
  /** When the last turn ended, or the first operation arrived since. Until the next turn, responses are sent and sockets are read. */
  #readingSince = 0;
  /** Until when the running turn starts operations. */
  #until = 0;
  /** When the running turn sends the responses so far. */
  #sendAt = 0;

  constructor(options: SchedulerOptions) {
    this.#onShed = options.onShed ?? (() => {});
    this.#time = options.time ?? monotonicTime;
    this.#nextTurn = options.nextTurn ?? ((turn) => void setImmediate(turn));
    this.#turnTime = options.turnTime ?? LIMITS.turnTime;
    this.#capacity = options.capacity ?? (() => LIMITS.waitingOperations);
    this.#patience = options.patience;
  }

  /** The number of operations that wait to start. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Admits an operation, before any expensive work is done for it.
   *
   * @param cost the cost of the operation in points, or an estimate if it is not known yet.
   * @returns a promise that resolves when it may start, and rejects with `overloaded` or the signal's reason.
   */
  enter(flow: Flow, cost: number, signal?: AbortSignalLike): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const forget = onAbort(signal, () => {
      if (this.#remove(queued)) reject(signal?.reason);
    });
    const queued = this.#queue.push(flow, Math.max(1, cost), {
      since: this.#time(),
      start() {
        forget();
        resolve();
      },
      refuse(error) {
        forget();
        reject(error);
      },
    });
    this.#arrivals.add(queued);
    this.#bound(queued.item.since);
    this.#call();
    return promise;
  }

  /** Adds to the cost of an operation, if the cost was not known when it entered. */
  charge(flow: Flow, points: number): void {
    if (this.#queue.length > 0) this.#queue.charge(flow, points);
  }

  #call(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    this.#readingSince = this.#time();
    this.#nextTurn(this.#turn);
  }

  /** Sheds one operation if the queue is full, or if operations of the caller with the most waiting would wait too long. */
  #bound(now: number): void {
    if (this.#queue.length > this.#capacity()) this.#shed('queue_full', this.#queue.excess());
    if (this.#queue.length <= LIMITS.calmQueue) return;
    const excess = this.#queue.excess();
    const oldest = excess?.caller.items[0];
    if (oldest && now - oldest.item.since >= this.#patience / 2) this.#shed('queue_time', excess);
  }

  readonly #turn = (): void => {
    beginTurn();
    const now = this.#time();
    this.#refuseOverdue(now);
    // At least as long as reading took, since otherwise a flood of requests would leave no time to serve them.
    const reading = Math.min(now - this.#readingSince, LIMITS.longestTurn);
    this.#until = now + Math.max(this.#turnTime, reading);
    this.#sendAt = now + this.#turnTime;
    this.#startNext();
  };

  readonly #startNext = (): void => {
    const queued = this.#queue.shift();
    if (!queued) {
      this.#finish();
      return;
    }
    this.#arrivals.delete(queued);
    noteStart();
    queued.item.start();
    // The operation runs in microtasks. After all of them, the clock shows how long it took.
    afterMicrotasks(this.#goOn);
  };

  readonly #goOn = (): void => {
    const now = this.#time();
    if (now >= this.#until) {
      this.#finish();
      return;
    }
    if (now < this.#sendAt) {
      this.#startNext();
      return;
    }
    endTurn();
    beginTurn();
    this.#sendAt = now + this.#turnTime;
    afterMicrotasks(this.#startNext);
  };

  #finish(): void {
    endTurn();
    this.#isCalled = false;
    if (this.#queue.length > 0) this.#call();
  }

  /** Sheds one operation of the caller with the most for each that has waited too long. A short queue is no overload, but a busy machine. */
  #refuseOverdue(now: number): void {
    for (const queued of this.#arrivals) {
      if (now - queued.item.since < this.#patience || this.#queue.length <= LIMITS.calmQueue) return;
      this.#arrivals.delete(queued);
      const excess = this.#queue.excess();
      this.#shed('queue_time', excess?.caller === queued.caller ? queued : excess);
    }
  }

  #shed(cause: ShedCause, queued: Queued<Waiting> | undefined): void {
    if (!queued || !this.#remove(queued)) return;
    this.#onShed(cause, queued.flow);
    queued.item.refuse(overloaded());
  }

  #remove(queued: Queued<Waiting>): boolean {
    this.#arrivals.delete(queued);
    return this.#queue.remove(queued);
  }
}

/** The slots for expensive queries, for which callers wait as fairly as for the processor. `onShed` is called if too many wait. */
export const createExpensiveQueries = (onShed: (cause: ShedCause, flow: Flow) => void): FairSlots =>
  new FairSlots({
    slots: LIMITS.expensiveQueries,
    capacity: LIMITS.waitingExpensiveQueries,
    refusal: (_cause, flow) => {
      onShed('queue_full', flow);
      return overloaded();
    },
  });

/** Seconds after which a client that was shed may retry: random between these, so that clients do not all retry at once. */
const RETRY_AFTER = { least: 1, most: 3 };

/** The error of an operation that is shed. */
function overloaded(): ApiError {
  const { least, most } = RETRY_AFTER;
  return new ApiError('overloaded', { retryAfter: least + Math.floor(Math.random() * (most - least + 1)) });
}

/** Calls a function once all microtasks have run, including those that they add. */
const afterMicrotasks = (next: () => void): void => queueMicrotask(() => process.nextTick(next));
