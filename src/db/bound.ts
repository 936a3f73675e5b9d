import type { AbortSignalLike } from '../core/deadline.ts';
import { type Flow, OWN_WORK } from '../core/fair-queue.ts';
import type { Database, GrowthListener, Replica, Snapshot, Transaction } from './database.ts';
import type { Originator } from './origin.ts';
import type { Position } from './position.ts';
import type { Statement } from './statement.ts';

/**
 * The database for one request: whatever is asked of it ends when the signal is aborted, and waits among what else this caller
 * asked for.
 *
 * @param originator where the changes of its transactions come from.
 */
export function boundTo(
  database: Database,
  signal: AbortSignalLike | undefined,
  flow = OWN_WORK,
  originator?: Originator,
): BoundDatabase {
  return new BoundDatabase(database, signal, flow, originator);
}

export class BoundDatabase implements Database {
  readonly #database: Database;
  readonly #signal: AbortSignalLike | undefined;
  readonly #originator: Originator | undefined;
  #flow: Flow;
  #replica: Replica | undefined;
  #snapshot: Snapshot | undefined;
  /** The place of the last change, where there are replicas. */
  position: Position | undefined;

  constructor(
    database: Database,
    signal: AbortSignalLike | undefined,
    flow: Flow,
    originator: Originator | undefined,
  ) {
    this.#database = database;
    this.#signal = signal;
    this.#flow = flow;
    this.#originator = originator;
  }

  /** Marks it as an expensive query from now on. */
  makeExpensive(): void {
    this.#flow = { ...this.#flow, isExpensive: true };
  }

  /** Has everything read from a copy from now on. */
  readFrom(replica: Replica | undefined): void {
    this.#replica = replica;
  }

  /** Has everything read as it was when the snapshot was opened, from now on. */
  readIn(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
  }

  /** Whether it reads a snapshot, and so no copy. */
  get isSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  get replicas() {
    return this.#database.replicas;
  }

  get engine() {
    return this.#database.engine;
  }

  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    if (this.#snapshot) return this.#snapshot.run(statement, params, this.#signal, this.#flow);
    return this.#database.run(statement, params, this.#signal, this.#flow, this.#replica);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const origin = this.#originator?.origin;
    const begin = (tx: Transaction) => {
      if (origin) tx.origin = origin;
      return work(tx);
    };
    return this.#database.transaction(begin, this.#signal, this.#flow, this.replicas && this.#noteCommit());
  }

  #noteCommit() {
    return (position: Position): void => {
      this.position = position;
    };
  }

  snapshot() {
    return this.#database.snapshot(this.#signal);
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
