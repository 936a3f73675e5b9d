import type { AbortSignalLike } from '../core/deadline.ts';
import { type Flow, OWN_WORK } from '../core/fair-queue.ts';
import type { Database, GrowthListener, Transaction } from './database.ts';
import type { Statement } from './statement.ts';

/**
 * The database for one request: whatever is asked of it ends when the signal is aborted, and waits among what else this caller
 * asked for.
 */
export function boundTo(
  database: Database,
  signal: AbortSignalLike | undefined,
  flow = OWN_WORK,
): BoundDatabase {
  return new BoundDatabase(database, signal, flow);
}

export class BoundDatabase implements Database {
  readonly #database: Database;
  readonly #signal: AbortSignalLike | undefined;
  #flow: Flow;

  constructor(database: Database, signal: AbortSignalLike | undefined, flow: Flow) {
    this.#database = database;
    this.#signal = signal;
    this.#flow = flow;
  }

  /** Marks it as an expensive query from now on. */
  makeExpensive(): void {
    this.#flow = { ...this.#flow, isExpensive: true };
  }

  get engine() {
    return this.#database.engine;
  }

  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    return this.#database.run(statement, params, this.#signal, this.#flow);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(work, this.#signal, this.#flow);
  }

  load() {
    return this.#database.load();
  }

  onGrowth(listener: GrowthListener) {
    return this.#database.onGrowth(listener);
  }

  ping() {
    return this.#database.ping();
  }

  missingMigrations() {
    return this.#database.missingMigrations();
  }

  close() {
    return this.#database.close();
  }
}
