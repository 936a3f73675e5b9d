import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortSignalLike } from '../../core/deadline.ts';
import type { Flow } from '../../core/fair-queue.ts';
import { LIMITS } from '../../core/limits.ts';
import type { PoolLoad } from '../../observability/metrics.ts';
import type { DatabaseOptions, OpenDatabase, Replica, Snapshot, Transaction } from '../database.ts';
import { databaseError, isConnectionLost, isRetryable, isUnavailable } from '../errors.ts';
import { Engine, Scope } from '../scope.ts';
import type { Statement } from '../statement.ts';
import { UNKNOWN_WAL_POSITION, type WalPosition } from '../wal-position.ts';
import type { PostgresConnection } from './connection.ts';
import { PostgresPool } from './pool.ts';
import { PostgresReplica, PostgresReplicas } from './replicas.ts';
import { compareMigrations, newestMigration } from './servers.ts';
import { PostgresSnapshots } from './snapshot.ts';

/** Maximum number of attempts at a transaction that ends in a serialization failure or a deadlock. */
const ATTEMPTS = 3;

/** The pause before a retry in milliseconds, times the attempt and a random factor, to separate transactions that conflicted. */
const BACKOFF = 20;

export function openPostgres(options: DatabaseOptions): OpenDatabase {
  return new PostgresDatabase(options);
}

class PostgresDatabase extends Engine implements OpenDatabase {
  readonly engine = 'postgres';
  readonly #pool: PostgresPool;
  readonly #snapshots: PostgresSnapshots;
  readonly replicas: PostgresReplicas | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    super(options);
    const { url, pool: connections, prepare = true, replicaUrls = [], ...others } = options;
    const { time: _time, transactionTimeout: _timeout, ...observers } = others;
    const shared = { connections, prepare, ...observers };
    this.#pool = new PostgresPool({ url, acceptsReplica: false, ...shared });
    this.#snapshots = new PostgresSnapshots(
      new PostgresPool({ url, acceptsReplica: false, ...shared, connections: LIMITS.exportsAtOnce }),
    );
    const primaryPosition = () => this.#pool.use((connection) => connection.position());
    if (replicaUrls.length > 0)
      this.replicas = new PostgresReplicas({ urls: replicaUrls, primaryPosition, ...shared });
  }

  async run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
    replica?: Replica,
  ): Promise<Result> {
    this.assertOutside();
    if (!(replica instanceof PostgresReplica)) return this.#pool.read(statement, params, signal, flow);
    try {
      return await replica.pool.read(statement, params, signal, flow);
    } catch (error) {
      // The replica is unreachable, or has cancelled the statement because it conflicted with replaying changes.
      if (!isUnavailable(error) || signal?.aborted) throw error;
      replica.lost();
      return this.#pool.read(statement, params, signal, flow);
    }
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    signal?: AbortSignalLike,
    flow?: Flow,
    onCommit?: (position: WalPosition) => void,
  ): Promise<T> {
    this.assertOutside();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#pool.use(
          (connection) => this.#attempt(connection, work, signal, onCommit),
          signal,
          flow,
        );
      } catch (error) {
        if (attempt === ATTEMPTS || !isRetryable(error) || signal?.aborted) throw error;
        await sleep(BACKOFF * attempt * Math.random());
      }
    }
  }

  async snapshot(signal?: AbortSignalLike): Promise<Snapshot> {
    this.assertOutside();
    return this.#snapshots.open(signal);
  }

  load(): PoolLoad {
    return this.#pool.load();
  }

  async ping(): Promise<void> {
    this.assertOutside();
    await this.#pool.use((connection) => connection.command('select 1'));
  }

  async missingMigrations(): Promise<number> {
    this.assertOutside();
    const newest = await this.#pool.use(({ client }) => newestMigration(client));
    return compareMigrations(newest).missingMigrations;
  }

  close(): Promise<void> {
    this.endCalls();
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    await Promise.all([this.#snapshots.close(), this.#pool.close(), this.replicas?.close()]);
  }

  async #attempt<T>(
    connection: PostgresConnection,
    work: (tx: Transaction) => Promise<T>,
    signal: AbortSignalLike | undefined,
    onCommit: ((position: WalPosition) => void) | undefined,
  ): Promise<T> {
    const tx = new PostgresTransaction(connection, onCommit !== undefined);
    try {
      const result = await this.runIn(
        tx,
        async () => {
          const value = await work(tx);
          await tx.settled();
          return value;
        },
        signal,
      );
      // If the connection is lost from here on, the outcome is unknown, and the caller gets an error that means so.
      await tx.commit();
      onCommit?.(await tx.position());
      this.committed(tx);
      return result;
    } catch (error) {
      this.failed(error);
      // After an abort the connection is discarded, and the server rolls back.
      if (signal?.aborted) throw error;
      await tx.settled();
      if (!isConnectionLost(error) && !tx.committing) await connection.command('rollback');
      throw error;
    }
  }
}

class PostgresTransaction extends Scope implements Transaction {
  readonly #connection: PostgresConnection;
  /** The result of the last statement. Results arrive in the order of the statements, so all have arrived with the last one. */
  #last: Promise<unknown> = Promise.resolve();
  #committed: Promise<void> | undefined;
  readonly #asksPosition: boolean;
  #position = Promise.resolve(UNKNOWN_WAL_POSITION);

  /**
   * Begins the transaction, together with its first statement.
   *
   * @param asksPosition whether to query the position in the write-ahead log after the commit, in the same round trip.
   */
  constructor(connection: PostgresConnection, asksPosition: boolean) {
    super();
    this.#connection = connection;
    this.#asksPosition = asksPosition;
    connection.gather();
    this.#follow(connection.command('begin'));
  }

  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    try {
      this.assertOpen();
      if (this.committing) throw new Error('A statement follows the last statements of its transaction.');
    } catch (error) {
      return Promise.reject(this.fail(error));
    }
    this.#connection.gather();
    return this.#follow(this.#connection.execute(statement, params));
  }

  last<T>(statements: number, run: () => Promise<T>): Promise<T> {
    try {
      this.assertOpen();
      if (this.failure !== undefined) throw this.failure;
    } catch (error) {
      return Promise.reject(error);
    }
    const before = this.#connection.sent;
    const results = run();
    // The server would not notice a statement that failed before it was sent, and would commit the others.
    if (this.#connection.sent - before !== statements) {
      this.fail(new Error(`Not all of the ${statements} last statements were sent.`));
      return results;
    }
    this.#sendCommit();
    return results;
  }

  /** Resolves when the server has committed. */
  commit(): Promise<void> {
    return this.#committed ?? this.#sendCommit();
  }

  #sendCommit(): Promise<void> {
    this.committing = true;
    this.#connection.gather();
    this.#committed = this.#follow(this.#connection.command('commit'));
    // A failure of this query does not affect the commit.
    if (this.#asksPosition) this.#position = this.#connection.position().catch(() => UNKNOWN_WAL_POSITION);
    return this.#committed;
  }

  /** The position of the commit in the write-ahead log, or a later one. */
  position(): Promise<WalPosition> {
    return this.#position;
  }

  /** Resolves when all statements have ended, whether they succeeded or not. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Tracks a statement: its failure makes the transaction fail. */
  #follow<T>(result: Promise<T>): Promise<T> {
    const followed = result.catch((error: unknown) => {
      throw this.fail(databaseError(error));
    });
    this.#last = followed.catch(() => {});
    return followed;
  }
}
