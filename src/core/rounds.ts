import { setTimeout as sleep } from 'node:timers/promises';

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
