/**
 * Decides when an operation starts. JavaScript and SQLite run on one thread, so an operation of some milliseconds delays all
 * others. While the event loop keeps up, operations start immediately. Once a turn of the loop has taken too long, further operations
 * wait in a queue that is fair between organisations and between their callers, and each turn starts as many as it has
 * time for. Between turns, sockets are read, so that an operation of another caller is queued and starts next.
 */
import { monotonicTime } from '../core/clock.ts';
import { type AbortSignalLike, onAbort } from '../core/deadline.ts';
import type { ApiError } from '../core/errors.ts';
import { FairQueue, type Flow, type Queued } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import type { ShedCause } from '../observability/metrics.ts';
import { overloaded } from './overloaded.ts';

export interface SchedulerOptions {
  /** Called for each operation that is shed. */
  readonly onShed?: ((cause: ShedCause, flow: Flow) => void) | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly time?: () => number;
  /** Calls a function in the next turn of the event loop, after sockets were read. */
  readonly nextTurn?: (turn: () => void) => void;
  /** Milliseconds of a turn in which operations start. With 0, every operation waits, and each turn starts one. */
  readonly turnTime?: number;
  /** Maximum number of waiting operations. */
  readonly capacity?: number;
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
  readonly #capacity: number;
  readonly #patience: number;
  /** Until when operations may start in this turn; undefined before the first operation of a turn. */
  #until: number | undefined;
  /** When this turn began, or when its last operation had run. Time after that was spent on reading sockets. */
  #startedAt = 0;

  constructor(options: SchedulerOptions) {
    this.#onShed = options.onShed ?? (() => {});
    this.#time = options.time ?? monotonicTime;
    this.#nextTurn = options.nextTurn ?? ((turn) => void setImmediate(turn));
    this.#turnTime = options.turnTime ?? LIMITS.turnTime;
    this.#capacity = options.capacity ?? LIMITS.waitingOperations;
    this.#patience = options.patience;
  }

  /** The number of operations that wait for their turn. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Admits an operation. Call it once for each operation, before any expensive work is done for it.
   *
   * @param cost the cost of the operation in points, or an estimate if it is not known yet.
   * @param signal aborted when no client waits for the operation, which then does not start.
   * @returns undefined if the operation may start now, which takes no more than reading the clock. Otherwise a promise that
   *   resolves when it may start, and rejects with `overloaded` if it is shed, or with the signal's reason.
   */
  enter(flow: Flow, cost: number, signal?: AbortSignalLike): Promise<void> | undefined {
    if (this.#queue.length === 0 && this.#hasTime()) return undefined;
    return this.#wait(flow, cost, signal);
  }

  /** Adds to the cost of an operation, if the cost was not known when it entered. */
  charge(flow: Flow, points: number): void {
    if (this.#queue.length > 0) this.#queue.charge(flow, points);
  }

  #hasTime(): boolean {
    const now = this.#time();
    if (this.#until !== undefined) return now < this.#until;
    this.#startedAt = now;
    this.#openTurn(now + this.#turnTime);
    return this.#turnTime > 0;
  }

  #openTurn(until: number): void {
    this.#until = until;
    this.#nextTurn(this.#turn);
  }

  #wait(flow: Flow, cost: number, signal: AbortSignalLike | undefined): Promise<void> {
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
    return promise;
  }

  /** Sheds one operation if the queue is full, or if operations of the caller with the most waiting would wait too long. */
  #bound(now: number): void {
    if (this.#queue.length > this.#capacity) this.#shed('queue_full', this.#queue.excess());
    if (this.#queue.length <= LIMITS.calmQueue) return;
    const excess = this.#queue.excess();
    const oldest = excess?.caller.items[0];
    if (oldest && now - oldest.item.since >= this.#patience / 2) this.#shed('queue_time', excess);
  }

  /** Runs in each turn of the event loop after its sockets were read. */
  readonly #turn = (): void => {
    this.#until = undefined;
    if (this.#queue.length === 0) return;
    const now = this.#time();
    this.#refuseOverdue(now);
    // At least as long as reading took, since otherwise a flood of requests would leave no time to serve them.
    const reading = Math.min(now - this.#startedAt, LIMITS.longestTurn);
    this.#openTurn(now + Math.max(this.#turnTime, reading));
    this.#startNext();
  };

  readonly #startNext = (): void => {
    const queued = this.#queue.shift();
    if (!queued) return;
    this.#arrivals.delete(queued);
    queued.item.start();
    // The operation runs in microtasks. After all of them, the clock shows how long it took.
    queueMicrotask(() => process.nextTick(this.#goOn));
  };

  readonly #goOn = (): void => {
    this.#startedAt = this.#time();
    if (this.#until !== undefined && this.#startedAt < this.#until) this.#startNext();
  };

  /**
   * Sheds one operation for each that has waited too long: the operation itself if its caller has the most waiting operations, otherwise one
   * of the caller that has. A short queue is not overload, but a machine that was busy with something else.
   */
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
