import type { AbortSignalLike } from '../core/deadline.ts';
import { type Flow, OWN_WORK } from '../core/fair-queue.ts';
import type { Database, Replica, Snapshot, Transaction } from './database.ts';
import type { Originator } from './origin.ts';
import type { Statement } from './statement.ts';
import { later, type WalPosition } from './wal-position.ts';

/** The database for one request. Its statements end when the signal is aborted, and queue in the caller's flow. */
export class BoundDatabase implements Database {
  readonly #database: Database;
  readonly #signal: AbortSignalLike | undefined;
  readonly #originator: Originator | undefined;
  #flow: Flow;
  #replica: Replica | undefined;
  #snapshot: Snapshot | undefined;
  /** The database of the request, which notes its commits. */
  #main: BoundDatabase = this;
  /** The position of the last commit in the write-ahead log; undefined before the first, and without replicas. */
  position: WalPosition | undefined;

  /** @param originator the source of the origin that its transactions record. */
  constructor(
    database: Database,
    signal: AbortSignalLike | undefined,
    flow: Flow = OWN_WORK,
    originator?: Originator,
  ) {
    this.#database = database;
    this.#signal = signal;
    this.#flow = flow;
    this.#originator = originator;
  }

  /** Returns the same database without the signal, for writes that must survive cancellation. Their commits are noted here. */
  lasting(): BoundDatabase {
    const lasting = new BoundDatabase(this.#database, undefined, this.#flow, this.#originator);
    lasting.#main = this.#main;
    return lasting;
  }

  /** Marks all further statements as parts of an expensive query. */
  makeExpensive(): void {
    this.#flow = { ...this.#flow, isExpensive: true };
  }

  /** Switches all further reads to a replica, or to the primary for undefined. */
  readFrom(replica: Replica | undefined): void {
    this.#replica = replica;
  }

  /** Switches all further reads to a snapshot. */
  readIn(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
  }

  /** Whether reads go to a snapshot, and therefore not to a replica. */
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
    const noteCommit = this.replicas
      ? (position: WalPosition) => {
          this.#main.position = later(this.#main.position, position);
        }
      : undefined;
    return this.#database.transaction(begin, this.#signal, this.#flow, noteCommit);
  }

  snapshot() {
    return this.#database.snapshot(this.#signal);
  }
}
