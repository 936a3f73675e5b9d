/** Work that continues after its caller has gone. Shutdown waits for it. */
export class PendingWork {
  readonly #work = new Set<Promise<unknown>>();

  /** Gives the work back as it is. */
  add<T>(work: T): T {
    if (work instanceof Promise) {
      this.#work.add(work);
      const forget = () => void this.#work.delete(work);
      // The caller handles the outcome.
      work.then(forget, forget);
    }
    return work;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }
}
