/** Work that continues after its client has disconnected. Shutdown waits for it. */
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

  /** Resolves when no work is pending. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }
}
