import { setTimeout as sleep } from 'node:timers/promises';

/** Background work in rounds, with a pause after each. */
export abstract class Rounds {
  readonly #pause: number;
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;

  /** @param pause milliseconds between two rounds. */
  constructor(pause: number) {
    this.#pause = pause;
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

  async #work(): Promise<void> {
    while (!this.stopping.aborted) {
      await this.round();
      // The pause rejects only when it is aborted.
      await sleep(this.#pause, undefined, { signal: this.stopping, ref: false }).catch(() => {});
    }
  }
}
