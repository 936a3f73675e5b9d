import { LIMITS } from './limits.ts';
import { waitAtMost } from './promises.ts';

/** Work that continues in the background, such as after its client has disconnected. Shutdown waits for it. */
export class PendingWork {
  readonly #work = new Set<Promise<unknown>>();

  /** Adds the work and returns it. */
  add<T>(work: T): T {
    if (work instanceof Promise) {
      this.#work.add(work);
      const forget = () => void this.#work.delete(work);
      work.then(forget, forget);
    }
    return work;
  }

  get size(): number {
    return this.#work.size;
  }

  /** Resolves when no work is pending. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }

  /** Like {@link settled}, but aborts work that takes longer than {@link LIMITS.stopPatience}. */
  async endedOrAborted(aborting: AbortController): Promise<void> {
    const settled = this.settled();
    await waitAtMost(LIMITS.stopPatience, settled);
    aborting.abort();
    await settled;
  }
}
