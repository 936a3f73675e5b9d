/** Counts by key. A key whose count is 0 takes no memory. */
export class KeyedCounts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds one to the count of a key. @returns a function that subtracts it again. Call it once. */
  add(key: Key): () => void {
    this.#counts.set(key, this.of(key) + 1);
    return () => {
      const left = this.of(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }
}
