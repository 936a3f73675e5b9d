import type { Database, Transaction } from '../db/database.ts';
import type { Attempt } from '../db/queries/idempotency.ts';
import { type Outcome, unwrap } from './outcome.ts';

/** A change that has started and waits for an external system. */
export interface StartedWork {
  /** The row of the change: created by this request, or by an earlier one with the same key. */
  readonly subjectId: number;
  /** Undefined without a key. */
  readonly attempt: Attempt | undefined;
}

/**
 * The changes of a mutation. The last of its transactions also stores the outcome under the caller's idempotency key. Resolvers
 * use it in the same way with and without a key. If a resolver throws before the outcome is stored, a retry with the key may
 * continue at once.
 */
export interface Work {
  /** Whether the client sent a key, so that its retries can be recognised. */
  readonly isRepeatable: boolean;

  /** Makes a change within the database only: claim, change and outcome are one transaction. */
  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Records what must be stored before an external call. `start` writes the row of the change, unless an earlier attempt did. */
  begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork>;
  /** Stores the response and the outcome; an error is thrown. @throws KeyTaken if another request has taken the record over. */
  finish<T>(begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T>;
  /** Undoes a change that the external system will never make. The key is free again, even for a different request. */
  abandon(begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void>;
}

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
    return { subjectId: await this.#database.transaction(start), attempt: undefined };
  }

  async finish<T>(_begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T> {
    return unwrap(await this.#lasting.transaction(change));
  }

  async abandon(_begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#lasting.transaction(change);
  }
}
