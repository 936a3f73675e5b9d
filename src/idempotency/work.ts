import type { Transaction } from '../db/database.ts';
import type { Turn } from '../db/queries/idempotency.ts';
import type { Outcome } from './outcome.ts';

/** A change that was begun and waits for an external system. */
export interface StartedWork {
  /** The row that it is about: this caller's, or one that a caller before had begun under the same key. */
  readonly subjectId: number;
  /** Undefined without a key. */
  readonly turn: Turn | undefined;
}

/**
 * What a mutation changes, in transactions of which the last one also keeps its outcome under the caller's idempotency
 * key. A resolver goes about it in the same way whether there is a key or not. When it throws before the outcome is kept,
 * a retry with the key may continue at once.
 */
export interface Work {
  /** A change within the database alone: claim, change and outcome are one transaction. */
  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * The first half of a change that calls an external system: what must be recorded before the call.
   *
   * @param start writes the row that the change is about, and gives its id. Not called when an attempt continues with a row.
   */
  begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork>;
  /**
   * The second half: the response is written and the outcome kept. Rejects with an outcome that is an error, which is final.
   *
   * @throws KeyTaken when another request has taken the record over since; nothing is written then.
   */
  finish<T>(begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T>;
  /** Nothing has happened and nothing will: the key is free again, also for another request. */
  abandon(begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void>;
}
