import { randomUUID } from 'node:crypto';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import { recordCountBatch } from '../db/queries/count-writers.ts';

/** Counts that are written in one transaction. */
interface Batch<Use> {
  readonly number: number;
  readonly uses: readonly [key: string, use: Use][];
}

/** Counts by key that wait to be written. */
export class Counts<Use> {
  readonly #writer = randomUUID();
  readonly #uses = new Map<string, Use>();
  /** A batch that may or may not have been written, since a connection may break after the commit. It is retried unchanged. */
  #unsettled: Batch<Use> | undefined;
  #batches = 0;
  readonly #insert: (tx: Transaction, uses: readonly Use[]) => Promise<void>;
  readonly #sum: (earlier: Use, later: Use) => Use;

  constructor(
    insert: (tx: Transaction, uses: readonly Use[]) => Promise<void>,
    sum: (earlier: Use, later: Use) => Use,
  ) {
    this.#insert = insert;
    this.#sum = sum;
  }

  /** The count of a key, unless it is being written. */
  find(key: string): Use | undefined {
    return this.#uses.get(key);
  }

  /** Adds to the count of a key. @returns the new count; undefined if too many counts wait. */
  add(key: string, use: Use): Use | undefined {
    const known = this.#uses.get(key);
    if (known === undefined && this.#uses.size >= LIMITS.usageWaiting) return undefined;
    const sum = known === undefined ? use : this.#sum(known, use);
    this.#uses.set(key, sum);
    return sum;
  }

  /**
   * Writes all counts, sorted by key, so that instances that write the same rows cannot deadlock. After the database has rejected a
   * batch, each count is written separately, and rejected ones are dropped, since they would block all others from then on.
   *
   * @throws the last error. Counts that can still be written later are kept.
   */
  async write(database: Database, now: Date): Promise<void> {
    const uses = [...this.#uses].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#uses.clear();
    let size: number = LIMITS.usageBatch;
    let refusal: unknown;
    while (this.#unsettled || uses.length > 0) {
      const batch = this.#unsettled ?? { number: ++this.#batches, uses: uses.splice(0, size) };
      this.#unsettled = undefined;
      try {
        await this.#writeBatch(database, batch, now);
      } catch (error) {
        if (!isRefusal(error)) {
          this.#unsettled = batch;
          for (const [key, use] of uses) this.add(key, use);
          throw error;
        }
        refusal = error;
        if (batch.uses.length === 1) continue;
        uses.unshift(...batch.uses);
        size = 1;
      }
    }
    if (refusal !== undefined) throw refusal;
  }

  #writeBatch(database: Database, { number, uses }: Batch<Use>, now: Date): Promise<void> {
    return database.transaction(async (tx) => {
      const isNew = await recordCountBatch(tx, { writer: this.#writer, batch: number, now });
      if (!isNew) return;
      await this.#insert(
        tx,
        uses.map(([, use]) => use),
      );
    });
  }
}

/** True if an organisation or a person does not exist, as after a database was restored while servers ran. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';
