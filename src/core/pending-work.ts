/** Work that goes on although nobody waits for its answer any more, for whoever has to wait for its end. */
export class PendingWork {
  readonly #work = new Set<Promise<unknown>>();

  /** Gives the work back as it is. */
  add<T>(work: T): T {
    if (work instanceof Promise) {
      this.#work.add(work);
      const forget = () => void this.#work.delete(work);
      // Whoever asked for it is told how it ended.
      work.then(forget, forget);
    }
    return work;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }
}
