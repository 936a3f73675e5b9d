import { performance } from 'node:perf_hooks';
import type Client from 'better-sqlite3';
import { monotonicTime } from '../../core/clock.ts';
import { FairQueue, type Flow, OWN_WORK } from '../../core/fair-queue.ts';
import { LIMITS } from '../../core/limits.ts';
import { startedOperations } from '../../core/turn.ts';

const { nodeTiming } = performance;

/** The estimated cost of a read in milliseconds, charged before it runs. */
const LEAST_COST = 0.01;

/**
 * Shares one read transaction between all reads in one turn of the event loop. Otherwise each statement locks and unlocks the
 * file, which takes longer than to find an order by its id: two statements for each of 14 requests take 10.4 us per
 * request separately and 4.6 us together.
 *
 * A read is never older than the last commit of this process, which calls `end` first, nor than the last time that the
 * event loop polled the system. So a reader that another process notified of its commit sees that commit.
 *
 * Once the reads of an operation have taken longer than `LIMITS.readTurn`, its further reads wait for a later turn, so that timers,
 * sockets and other operations can run. Waiting reads are served fairly between callers, by the time that their reads take.
 * SQLite runs statements synchronously: without this limit, an operation of many statements would block all others, and would
 * not notice its own deadline. An operation that starts does not wait for those reads: the scheduler has chosen it as the next one.
 */
export class ReadTurn {
  readonly #client: Client.Database;
  readonly #time: () => number;
  readonly #begin: Client.Statement;
  readonly #commit: Client.Statement;
  #isOpen = false;
  /** The loop count at the first read of the current turn. */
  #polls = -1;
  /** The operations started before the last read. */
  #operations = 0;
  /** The time of the first read of this turn, or since an operation was started in it. */
  #since = 0;
  #endsByItself = false;
  readonly #waiting = new FairQueue<() => void>();
  #isCalled = false;
  #onIdle: (() => void)[] = [];

  /** @param time a monotonic clock, in milliseconds. */
  constructor(client: Client.Database, time: () => number = monotonicTime) {
    this.#client = client;
    this.#time = time;
    this.#begin = client.prepare('begin');
    this.#commit = client.prepare('commit');
  }

  /** Runs a read immediately, or in a later turn if the reads of this turn have used up their time. */
  run<T>(read: () => T, flow: Flow = OWN_WORK): Promise<T> {
    if (!this.#enter()) return this.#later(read, flow);
    return Promise.resolve(read());
  }

  /** Ends the transaction, so that the next read sees everything committed before it. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // SQLite ends a transaction after some errors, such as an unreadable disk.
    if (this.#client.inTransaction) this.#commit.run();
  }

  /** Resolves when no read waits. */
  async idle(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Opens the transaction if necessary. Returns false if the reads of this turn have used up their time. */
  #enter(): boolean {
    // libuv increments the count right before it polls, so timers and immediates belong to the preceding poll. Reading it takes 0.3 us.
    const polls = nodeTiming.uvMetricsInfo.loopCount;
    const operations = startedOperations();
    if (polls !== this.#polls) {
      this.#polls = polls;
      this.#since = this.#time();
      this.end();
    } else if (operations !== this.#operations) {
      this.#since = this.#time();
    } else if (this.#time() - this.#since > LIMITS.readTurn) {
      return false;
    }
    this.#operations = operations;
    if (!this.#isOpen) this.#open();
    return true;
  }

  #open(): void {
    this.#begin.run();
    this.#isOpen = true;
    if (this.#endsByItself) return;
    this.#endsByItself = true;
    setImmediate(() => {
      this.#endsByItself = false;
      this.end();
    });
  }

  #later<T>(read: () => T, flow: Flow): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push(flow, LEAST_COST, () => {
      try {
        resolve(read());
      } catch (error) {
        reject(error);
      }
    });
    this.#call();
    return promise;
  }

  #call(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    setImmediate(() => {
      this.#isCalled = false;
      this.#runWaiting();
    });
  }

  /** Runs waiting reads, at least one in each turn, so that each read runs eventually. */
  #runWaiting(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const hasTime = this.#enter();
      if (!hasTime && !this.#isOpen) this.#open();
      const began = this.#time();
      next.item();
      this.#waiting.charge(next.flow, this.#time() - began);
      if (!hasTime) break;
    }
    if (this.#waiting.length > 0) this.#call();
    else for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
