/** Background work: in rounds at an interval, or in a loop that looks for work and can be woken. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from './promises.ts';

/** Background work in rounds, with a pause after each. */
export abstract class Rounds {
  readonly #interval: number;
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;

  /** @param interval milliseconds between two rounds. */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** Starts the first round. */
  start(): void {
    this.#working ??= this.#work();
  }

  /** Stops. Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  /** Does the work once. It reports its failures and never rejects. */
  protected abstract round(): Promise<void>;

  /** Aborted when the current round must end. */
  protected get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Resolves after this many milliseconds, or when the current round must end. */
  protected async pause(milliseconds: number): Promise<void> {
    // The timer rejects only when it is aborted.
    await sleep(milliseconds, undefined, { signal: this.stopping, ref: false }).catch(() => {});
  }

  async #work(): Promise<void> {
    while (!this.stopping.aborted) {
      await this.round();
      await this.pause(this.#interval);
    }
  }
}

interface PollLoopOptions {
  /** Looks for work, and returns whether there may be more right away. */
  readonly look: () => Promise<boolean>;
  /** Milliseconds after which it looks again without being woken. */
  readonly poll: number;
  /** Milliseconds to pause before it looks again. All calls of `wake` within the pause cause one look. */
  readonly pause: () => number;
  /** Called when looking has failed. The next look is not affected. */
  readonly onFailure: (error: unknown) => void;
}

/** Looks for work at intervals, and when it is woken. Waking is only a hint: polling finds work that it misses. */
export class PollLoop {
  readonly #options: PollLoopOptions;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #woken = Promise.withResolvers<void>();

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#woken.resolve();
  }

  /** Makes it stop after the current look. */
  drain(): void {
    this.#isStopping = true;
    this.wake();
  }

  /** Stops. Resolves when the current look has finished. */
  async stop(): Promise<void> {
    this.drain();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { look, poll, pause, onFailure } = this.#options;
    while (!this.#isStopping) {
      // A call of `wake` during the look causes another one.
      this.#woken = Promise.withResolvers();
      try {
        if (await look()) continue;
      } catch (error) {
        onFailure(error);
      }
      await waitAtMost(poll, this.#woken.promise);
      if (!this.#isStopping) await sleep(pause());
    }
  }
}
