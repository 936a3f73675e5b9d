import type { Operation, PathItem } from './types.ts';

/** The operations of a description, by their paths. */
export class Paths {
  readonly #items = new Map<string, Record<string, Operation>>();
  readonly #idsTaken = new Set<string>();

  get items(): Record<string, PathItem> {
    return Object.fromEntries(this.#items);
  }

  /** @throws Error when another operation has this one's id. */
  add(path: string, method: string, operation: Operation): void {
    const { operationId } = operation;
    if (this.#idsTaken.has(operationId)) throw new Error(`Two operations have the id ${operationId}.`);
    this.#idsTaken.add(operationId);
    const item = this.#items.get(path) ?? {};
    item[method.toLowerCase()] = operation;
    this.#items.set(path, item);
  }
}
