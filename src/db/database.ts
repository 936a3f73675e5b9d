/**
 * The database as the rest of the server sees it: statements are run, some of them together in a transaction.
 * Which engine answers is known in `src/db/` alone.
 */
import type { AbortSignalLike } from '../core/deadline.ts';
import type { Flow } from '../core/fair-queue.ts';
import type { Origin } from './origin.ts';
import type { Position } from './position.ts';
import type { Statement } from './statement.ts';

export { asStored, checked, type Statement, statement, statementPerSize } from './statement.ts';

export interface Runner {
  /**
   * Outside of a transaction a statement reads: one that writes is refused, on every engine.
   *
   * Rejects with `ApiError('unavailable')` when the engine cannot be reached or is too busy, `timeout` when the
   * statement took too long, `conflict` or `validation_failed` when a constraint refuses the row.
   */
  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result>;
}

/**
 * Statements that happen together or not at all. Those that are started together take one round trip. When one of them fails, the transaction is lost, on every
 * engine: it rejects with that failure even if the caller caught it and went on.
 */
export interface Transaction extends Runner {
  readonly inTransaction: true;
  /** Where its changes come from; undefined for what the server does by itself. A database that is bound to a request sets it. */
  origin: Origin | undefined;
  /**
   * Notifies listeners after the commit that the log of this organisation has grown. Without a commit no listener is called.
   *
   * @param type of the event by which it has grown.
   */
  notifyLogGrowth(org: string, type: string): void;
  /**
   * Runs the last statements of the transaction, which do not wait for each other. Where there are round trips the commit is sent
   * along with them. No statement may follow, and what else throws after them undoes nothing. When not all of them could be sent,
   * nothing is committed.
   *
   * @param statements how many they are.
   * @param run starts all of them before it awaits anything.
   */
  last<T>(statements: number, run: () => Promise<T>): Promise<T>;
}

/**
 * Called with the organisations whose log has grown, and the types of the events by which it did. It runs where the work of
 * others goes on, so it does little.
 */
export type GrowthListener = (orgs: Iterable<string>, types: ReadonlySet<string>) => void;

/**
 * The database as it was when the snapshot was opened, on a connection of its own: what is committed later does not appear. It is
 * to be closed, since the engine keeps what it shows: SQLite's log grows meanwhile, and PostgreSQL cannot vacuum.
 */
export interface Snapshot extends Runner {
  /**
   * @param signal as for `run` of {@link Database}. A snapshot whose statement was ended is of no further use.
   * @param flow for a fair share of the event loop, where the engine answers in it.
   */
  run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
  ): Promise<Result>;
  /** Lets go of the connection. It never rejects, and may be called again. */
  close(): Promise<void>;
}

/** Connections in use. SQLite's reader runs whole statements synchronously, so it never shows. */
export interface DatabaseLoad {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Database extends Runner {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * @param signal when it is aborted, the statement is ended and rejects with the signal's reason. PostgreSQL is asked to
   *   cancel what runs; SQLite runs one whole statement at a time, and no further one.
   * @param flow whose work it is, for a fair share of the connections; the server's own when left out.
   * @param replica where to read, from `replicas`. Should it fail, the primary is read.
   */
  run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
    replica?: Replica,
  ): Promise<Result>;
  /**
   * Runs the work and commits; when the work throws, nothing of it stays and its error is passed on. It resolves
   * after the commit, so that a notification is about a change that can be read.
   *
   * The work may be run again after a serialization failure or a deadlock, so it has no effect but through `tx`,
   * and it awaits nothing else: on SQLite all writers wait for it. After `LIMITS.statementTimeout` it is ended.
   * Transactions do not nest, and inside of one the database itself refuses to run: both throw.
   *
   * @param signal when it is aborted before the commit has begun, nothing stays, and it rejects with the signal's reason.
   * @param flow as for `run`.
   * @param onCommit called with the place of the change in the log of changes, where there are replicas.
   */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    signal?: AbortSignalLike,
    flow?: Flow,
    onCommit?: (position: Position) => void,
  ): Promise<T>;
  /**
   * Opens a snapshot of the primary. Callers bound how many are open, and for how long.
   *
   * @param signal when it is aborted, what runs in the snapshot is ended and the connection given up.
   * @throws ApiError `unavailable`, or the signal's reason.
   */
  snapshot(signal?: AbortSignalLike): Promise<Snapshot>;
  /** Copies that reads may go to; undefined where there are none. */
  readonly replicas?: Replicas | undefined;
  /** Its connections at this moment, for metrics. */
  load(): DatabaseLoad;
  /**
   * Calls the listener after each commit of this process that recorded events. It is only a hint: other processes
   * write too.
   *
   * @returns what ends it.
   */
  onGrowth(listener: GrowthListener): () => void;
  /** Resolves when the engine answers. For the readiness probe. */
  ping(): Promise<void>;
  /** The number of pending migrations. */
  missingMigrations(): Promise<number>;
  /** Waits for what runs, then lets go of every connection. What is asked afterwards is `unavailable`. */
  close(): Promise<void>;
}

/** A copy of the database that follows it, a little behind. */
export interface Replica {
  /** How far it had come when it was last looked at; undefined while it is away. */
  readonly replayed: Position | undefined;
}

export interface Replicas {
  /**
   * Finds a copy to read from, by turns.
   *
   * @param position what the copy must have; undefined for a caller that has not written lately.
   * @returns undefined where the primary is to be read: no copy is there, or none has come that far in time.
   */
  choose(position: Position | undefined): Promise<Replica | undefined>;
  /** How far the primary has come, or after every place when it cannot be asked. */
  primaryPosition(): Promise<Position>;
  /** Resolves when all copies that are there have come that far, and after `LIMITS.replicaCatchUp` at the latest. */
  caughtUp(position: Position): Promise<void>;
}

/** Observers of statements. */
export interface Observers {
  /** Called with the name of each statement before it runs. For metrics, and for tests that count statements. */
  readonly observe?: (statementName: string) => void;
  /** Called with how long each statement ran, in milliseconds, whether it succeeded or not. */
  readonly timed?: (statementName: string, milliseconds: number) => void;
  /** Called with what a {@link GrowthListener} threw, which is a bug in it. The committing caller does not see it. */
  readonly onListenerFailure?: (error: unknown) => void;
}

export interface DatabaseOptions extends Observers {
  /**
   * `file:data/portico.db`, relative to the working directory, or `postgres://user:password@host:port/name`, with several hosts
   * where one of them takes writes.
   */
  readonly url: string;
  /** Connections to PostgreSQL at most. SQLite has one that writes and one that reads. */
  readonly pool: number;
  /** Whether PostgreSQL keeps statements by name, as it does by default; off for poolers that cannot. */
  readonly prepare?: boolean;
  /** Streaming replicas of it, in the same form. */
  readonly replicaUrls?: readonly string[];
  /** Milliseconds that have passed since some moment, by which SQLite shares out the turns of the event loop. */
  readonly time?: () => number;
}
