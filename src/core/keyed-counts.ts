/** Counts by key. A key whose count is 0 takes no memory. */
export class KeyedCounts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  increment(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  decrement(key: Key): void {
    const left = this.of(key) - 1;
    if (left <= 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}
