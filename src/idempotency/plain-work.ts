import type { Database, Transaction } from '../db/database.ts';
import { type Outcome, unwrap } from './outcome.ts';
import type { StartedWork, Work } from './work.ts';

/** Work without an idempotency key: it runs for each request. */
export class PlainWork implements Work {
  get isRepeatable(): boolean {
    return false;
  }

  readonly #database: Database;
  readonly #lasting: Database;

  /** @param lasting the database for writes that must survive cancellation, because an external system has responded. */
  constructor(database: Database, lasting: Database) {
    this.#database = database;
    this.#lasting = lasting;
  }

  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(change);
  }

  async begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork> {
    return { subjectId: await this.#database.transaction(start), turn: undefined };
  }

  async finish<T>(_begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T> {
    return unwrap(await this.#lasting.transaction(change));
  }

  async abandon(_begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#lasting.transaction(change);
  }
}
