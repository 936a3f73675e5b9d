import { performance } from 'node:perf_hooks';
import type Client from 'better-sqlite3';
import { monotonicTime } from '../../core/clock.ts';
import { FairQueue, type Flow, OWN_WORK } from '../../core/fair-queue.ts';
import { LIMITS } from '../../core/limits.ts';

const { nodeTiming } = performance;

/** What a read counts before it is known how many milliseconds it takes. */
const LEAST_COST = 0.01;

/**
 * One read transaction for all that is read in one turn of the event loop. On its own every statement locks the file and lets
 * go of it again, which takes longer than to find an order by its id: two statements for each of 14 requests take 10.4 us a
 * request alone and 4.6 us together.
 *
 * What is read is never older than the last commit of this process, before which `end` is called, nor than the moment in which the
 * event loop last polled the system. So a reader that was notified by another process of its commit sees that commit.
 *
 * A turn in which reads have gone on for longer than `LIMITS.readTurn` has no more of them: they wait for a later one, while timers,
 * sockets and other operations have theirs. Those that wait are served fairly between callers, by the time that their reads take.
 * SQLite answers within the turn, so that without this an operation of many statements would keep all others waiting, and would
 * not notice its own deadline.
 */
export class ReadTurn {
  readonly #client: Client.Database;
  readonly #time: () => number;
  readonly #begin: Client.Statement;
  readonly #commit: Client.Statement;
  #isOpen = false;
  /** The loop count at the first read of the present turn. */
  #polls = -1;
  /** When that was. */
  #since = 0;
  #endsByItself = false;
  readonly #waiting = new FairQueue<() => void>();
  #isCalled = false;
  #onIdle: (() => void)[] = [];

  /** @param time milliseconds that have passed since some moment. */
  constructor(client: Client.Database, time: () => number = monotonicTime) {
    this.#client = client;
    this.#time = time;
    this.#begin = client.prepare('begin');
    this.#commit = client.prepare('commit');
  }

  /** Runs a read at once, unless this turn has had its share of them. */
  run<T>(read: () => T, flow: Flow = OWN_WORK): Promise<T> {
    if (!this.#enter()) return this.#later(read, flow);
    return Promise.resolve(read());
  }

  /** The next read sees what was committed until then. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // SQLite itself ends a transaction after some errors, like that of a disk which cannot be read.
    if (this.#client.inTransaction) this.#commit.run();
  }

  /** Resolves when no read waits. */
  async idle(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** False when reads have gone on for long enough in this turn. */
  #enter(): boolean {
    // libuv counts a turn right before it polls: timers and immediates belong to the poll before them. This takes 0.3 us.
    const polls = nodeTiming.uvMetricsInfo.loopCount;
    if (polls !== this.#polls) {
      this.#polls = polls;
      this.#since = this.#time();
      this.end();
    } else if (this.#time() - this.#since > LIMITS.readTurn) {
      return false;
    }
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

  /** One of those that wait runs in each turn, however busy it is, so that none waits for ever. */
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
