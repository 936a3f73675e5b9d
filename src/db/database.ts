/**
 * The interface of the database to the rest of the server: single statements and transactions.
 * Only `src/db/` depends on the engine.
 */
import type { AbortSignalLike } from '../core/deadline.ts';
import type { Flow } from '../core/fair-queue.ts';
import type { PoolLoad } from '../observability/metrics.ts';
import type { Origin } from './origin.ts';
import type { Statement } from './statement.ts';
import type { WalPosition } from './wal-position.ts';

export interface Runner {
  /**
   * Runs a statement. Outside of a transaction, every engine rejects statements that write.
   *
   * Rejects with `ApiError('unavailable')` if the engine cannot be reached or is too busy, `timeout` if the
   * statement took too long, `conflict` or `validation_failed` if a constraint rejects the row.
   */
  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result>;
}

/**
 * An atomic group of statements. Statements that are started together take one round trip. When one of them fails, the transaction
 * fails on every engine: it rejects with that error even if the caller caught it.
 */
export interface Transaction extends Runner {
  readonly inTransaction: true;
  /** The origin of its changes; undefined for work of the server itself. A database that is bound to a request sets it. */
  origin: Origin | undefined;
  /**
   * Makes the commit notify the listeners that the log of this organisation has grown. Without a commit no listener is called.
   *
   * @param type the type of the new event.
   */
  notifyLogGrowth(org: string, type: string): void;
  /**
   * Runs the last statements of the transaction, which do not wait for each other. An engine with round trips sends the commit
   * together with them. No statement may follow, and an error thrown after them does not undo the transaction. If not all of them
   * could be sent, nothing is committed.
   *
   * @param statements the number of statements.
   * @param run starts all of them before it awaits any.
   */
  last<T>(statements: number, run: () => Promise<T>): Promise<T>;
}

/**
 * Called with the organisations whose log has grown, and the types of the new events. The committing caller waits for it, so it must
 * be fast.
 */
export type GrowthListener = (orgs: Iterable<string>, types: ReadonlySet<string>) => void;

/**
 * The database as it was when the snapshot was opened, on a dedicated connection: later commits are not visible in it. It must be
 * closed, since the engine has to keep old row versions for it: meanwhile SQLite's log grows, and PostgreSQL cannot vacuum.
 */
export interface Snapshot extends Runner {
  /**
   * @param signal as for `run` of {@link Database}. A snapshot cannot be used after one of its statements was aborted.
   * @param flow for a fair share of the event loop, if the engine runs statements in it.
   */
  run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
  ): Promise<Result>;
  /** Releases the connection. It never rejects, and may be called again. */
  close(): Promise<void>;
}

export interface Database extends Runner {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * @param signal when it is aborted, the statement ends and rejects with the signal's reason. On PostgreSQL the running
   *   statement is cancelled; SQLite finishes the statement that runs and starts no further one.
   * @param flow the flow that the statement counts for, to share connections fairly; the server's own by default.
   * @param replica the replica to read, from `replicas`. If it fails, the primary is read.
   */
  run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
    replica?: Replica,
  ): Promise<Result>;
  /**
   * Runs the work and commits. If the work throws, the transaction is rolled back and rejects with that error. It resolves
   * after the commit, so that a notification is about a change that can be read.
   *
   * The work may be run again after a serialization failure or a deadlock, so it must have no effect except through `tx`,
   * and await nothing else: on SQLite all writers wait for it. It is ended after the `transactionTimeout` of {@link DatabaseOptions}.
   * Transactions do not nest, and statements inside of one must run on `tx`: otherwise the database throws.
   *
   * @param signal when it is aborted before the commit has begun, the transaction is rolled back and rejects with the signal's reason.
   * @param flow as for `run`.
   * @param onCommit called with the position of the commit in the write-ahead log, if there are replicas.
   */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    signal?: AbortSignalLike,
    flow?: Flow,
    onCommit?: (position: WalPosition) => void,
  ): Promise<T>;
  /**
   * Opens a snapshot of the primary. Callers limit how many are open, and for how long.
   *
   * @param signal when it is aborted, the statement that runs in the snapshot is ended and the connection discarded.
   * @throws ApiError `unavailable`, or the signal's reason.
   */
  snapshot(signal?: AbortSignalLike): Promise<Snapshot>;
  /** The replicas that reads may use; undefined if none are configured. */
  readonly replicas?: Replicas | undefined;
}

/** The database of the process that opened it. A request gets a {@link Database} without these members. */
export interface OpenDatabase extends Database {
  /** The current state of its connections, for metrics. SQLite's reader runs each statement synchronously, so it never appears as in use. */
  load(): PoolLoad;
  /**
   * Calls the listener after each commit of this process that recorded events. It is only a hint, since other processes
   * write as well.
   *
   * @returns a function that removes the listener.
   */
  onGrowth(listener: GrowthListener): () => void;
  /**
   * Whether it refused a change because of its disk, or because it is read-only, and none has succeeded `LIMITS.changeRefusal` or more after
   * the last refusal. Later changes are tried nevertheless.
   */
  readonly refusesChanges: boolean;
  /** Resolves if the engine responds. For the readiness probe. */
  ping(): Promise<void>;
  /** The number of pending migrations. */
  missingMigrations(): Promise<number>;
  /** Waits for running statements, then closes every connection. Later calls reject with `unavailable`. */
  close(): Promise<void>;
}

/** A streaming replica of the database, with a small lag. */
export interface Replica {
  /** The position that it had replayed when it was last checked; undefined while it is unreachable. */
  readonly replayed: WalPosition | undefined;
}

export interface Replicas {
  /**
   * Chooses a replica to read from, in rotation.
   *
   * @param position the position that the replica must have replayed; undefined for a caller that has not written lately.
   * @returns undefined if the primary must be read: no replica is available, or none has reached the position in time.
   */
  choose(position: WalPosition | undefined): Promise<Replica | undefined>;
  /** The current position of the primary, or `UNKNOWN_WAL_POSITION` if it cannot be queried. */
  primaryPosition(): Promise<WalPosition>;
  /** Resolves when all reachable replicas have replayed up to the position, and after `LIMITS.replicaCatchUp` at the latest. */
  caughtUp(position: WalPosition): Promise<void>;
}

/** Observers of statements. */
export interface Observers {
  /** Called with the name of each statement before it runs. For metrics, and for tests that count statements. */
  readonly observe?: (statementName: string) => void;
  /** Called with how long each statement ran, in seconds, whether it succeeded or not. */
  readonly timed?: (statementName: string, seconds: number) => void;
  /** Called with an error that a {@link GrowthListener} threw, which is a bug in it. The committing caller does not see it. */
  readonly onListenerFailure?: (error: unknown) => void;
  /** Called with the first error after which {@link OpenDatabase.refusesChanges} is true, once until it is false. */
  readonly onRefusal?: (error: unknown) => void;
}

export interface DatabaseOptions extends Observers {
  /**
   * `file:data/portico.db`, relative to the working directory, or `postgres://user:password@host:port/name`, with several hosts
   * if one of them is the primary.
   */
  readonly url: string;
  /** Maximum number of connections to PostgreSQL. SQLite has one that writes and one that reads. */
  readonly pool: number;
  /** Whether to use named prepared statements on PostgreSQL: true by default, false for poolers that do not support them. */
  readonly prepare?: boolean;
  /** URLs of its streaming replicas. */
  readonly replicaUrls?: readonly string[];
  /** Maximum milliseconds of a transaction: `LIMITS.statementTimeout` by default, and more for commands that write many rows. */
  readonly transactionTimeout?: number;
  /** A monotonic clock in milliseconds, for the age of refusals, and by which SQLite limits its share of each turn of the event loop. */
  readonly time?: () => number;
}
