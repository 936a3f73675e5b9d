import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { type Flow, OWN_WORK } from '../../core/fair-queue.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import { LIMITS } from '../../core/limits.ts';
import type {
  Database,
  DatabaseLoad,
  DatabaseOptions,
  GrowthListener,
  Observers,
  Transaction,
} from '../database.ts';
import { databaseError, isConnectionLost, isWorthRepeating, unavailable } from '../errors.ts';
import { migrationTimes } from '../journal.ts';
import { Scope, Scopes } from '../scope.ts';
import type { Statement } from '../statement.ts';
import { PostgresConnection } from './connection.ts';

const MIGRATION_TIMES = migrationTimes(new URL('./migrations/', import.meta.url));

/** Milliseconds beyond `statement_timeout` until a server that says nothing at all is taken for lost. */
const SILENCE = 2000;

/** Runs of a transaction at most, when each ends in a serialization failure or a deadlock. */
const ATTEMPTS = 3;

/** Milliseconds, times the attempt and a random factor, that spread out those who just got into each other's way. */
const BACKOFF = 20;

/**
 * How statements are planned on every connection. Ones that are estimated to cost much and in fact read a page would be compiled,
 * which takes 5 to 20 times as long as they do. And where a list has an index in its own order, PostgreSQL may take another one
 * that begins with the same column and sort what follows, which reads all rows of that column's value for a page of them.
 */
export const PLANNER_SETTINGS = ['jit=off', 'enable_incremental_sort=off'] as const;

export function openPostgres(options: DatabaseOptions): Database {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #server: pg.ClientConfig;
  readonly #pool: pg.Pool;
  /** Connections of the pool. Its own queue is first come, first served, so nothing waits there. */
  readonly #slots: FairSlots;
  /** Those of them that expensive queries use. */
  readonly #expensiveSlots: FairSlots;
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  readonly #scopes: Scopes;
  readonly #observers: Observers;
  #closing: Promise<void> | undefined;

  constructor({ url, pool: connections, time: _, ...observers }: DatabaseOptions) {
    this.#observers = observers;
    this.#scopes = new Scopes(observers);
    this.#server = { connectionString: url, application_name: 'portico' };
    const waiting = {
      capacity: LIMITS.waitingForDatabase,
      refusal: () => unavailable(new Error('No connection to PostgreSQL became free.')),
    };
    this.#slots = new FairSlots({ slots: connections, patience: LIMITS.acquireTimeout, ...waiting });
    const few = Math.max(1, Math.floor(connections * LIMITS.expensiveShare));
    // The deadline of each query bounds how long it waits here: one of many statements has most of them waiting.
    this.#expensiveSlots = new FairSlots({ slots: few, ...waiting });
    this.#pool = new pg.Pool({
      ...this.#server,
      max: connections,
      connectionTimeoutMillis: LIMITS.acquireTimeout,
      statement_timeout: LIMITS.statementTimeout,
      idle_in_transaction_session_timeout: LIMITS.statementTimeout,
      query_timeout: LIMITS.statementTimeout + SILENCE,
      // Outside of a transaction nothing is written on SQLite, so it is not on PostgreSQL either.
      options: `-c default_transaction_read_only=on -c timezone=UTC ${PLANNER_SETTINGS.map((setting) => `-c ${setting}`).join(' ')}`,
      keepAlive: true,
      // Statements of a transaction that are started together are sent together.
      pipeline: true,
    });
    // An idle connection that breaks is dropped from the pool, and on one in use the
    // statement fails. An `error` event without a listener would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async run<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow?: Flow,
  ): Promise<Result> {
    this.#scopes.assertOutside();
    return this.#withConnection(
      (connection) => unless(signal, connection.execute(statement, params)),
      signal,
      flow,
    );
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    signal?: AbortSignalLike,
    flow?: Flow,
  ): Promise<T> {
    this.#scopes.assertOutside();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#withConnection(
          (connection) => this.#attempt(connection, work, signal),
          signal,
          flow,
        );
      } catch (error) {
        if (attempt === ATTEMPTS || !isWorthRepeating(error) || signal?.aborted) throw error;
        await sleep(BACKOFF * attempt * Math.random());
      }
    }
  }

  load(): DatabaseLoad {
    const { totalCount, idleCount } = this.#pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: this.#slots.waiting + this.#expensiveSlots.waiting,
    };
  }

  onGrowth(listener: GrowthListener): () => void {
    return this.#scopes.listen(listener);
  }

  async ping(): Promise<void> {
    this.#scopes.assertOutside();
    await this.#withConnection((connection) => connection.command('select 1'));
  }

  async missingMigrations(): Promise<number> {
    this.#scopes.assertOutside();
    const newest = await this.#withConnection(async ({ client }) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
      );
      if (!rows[0]?.there) return 0;
      const seen = await client.query<{ newest: string | null }>(
        'select max(created_at) as newest from drizzle.__drizzle_migrations',
      );
      return Number(seen.rows[0]?.newest ?? 0);
    });
    return MIGRATION_TIMES.filter((time) => time > newest).length;
  }

  close(): Promise<void> {
    this.#scopes.close();
    // The pool waits for the connections that are in use.
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  async #attempt<T>(
    connection: PostgresConnection,
    work: (tx: Transaction) => Promise<T>,
    signal: AbortSignalLike | undefined,
  ): Promise<T> {
    const scope = new Scope();
    const tx = new PostgresTransaction(connection, scope);
    try {
      const result = await this.#scopes.run(
        scope,
        async () => {
          const value = await work(tx);
          await tx.settled();
          return value;
        },
        signal,
      );
      // From here on only the server knows the outcome, and the caller learns that it is unknown.
      await tx.commit();
      this.#scopes.committed(scope);
      return result;
    } catch (error) {
      // The connection of work that was ended is given up, and the server rolls back by itself.
      if (signal?.aborted) throw error;
      await tx.settled();
      if (!isConnectionLost(error) && !scope.committing) await connection.command('rollback');
      throw error;
    }
  }

  /**
   * A connection that broke does not go back to the pool, nor one on which something was cancelled: the server may come to
   * that when the next statement runs there.
   *
   * @throws the signal's reason, or what `databaseError` makes of the failure.
   */
  async #withConnection<T>(
    use: (connection: PostgresConnection) => Promise<T>,
    signal?: AbortSignalLike,
    flow = OWN_WORK,
  ): Promise<T> {
    if (!flow.isExpensive)
      return this.#withSlot(this.#slots, () => this.#onConnection(use, signal), signal, flow);
    return this.#withSlot(
      this.#expensiveSlots,
      () => this.#withSlot(this.#slots, () => this.#onConnection(use, signal), signal, flow),
      signal,
      flow,
    );
  }

  async #withSlot<T>(
    slots: FairSlots,
    use: () => Promise<T>,
    signal: AbortSignalLike | undefined,
    flow: Flow,
  ): Promise<T> {
    const turn = slots.acquire(flow, signal);
    if (turn) await turn;
    try {
      return await use();
    } finally {
      slots.release();
    }
  }

  async #onConnection<T>(
    use: (connection: PostgresConnection) => Promise<T>,
    signal: AbortSignalLike | undefined,
  ): Promise<T> {
    const client = await unless(signal, this.#connect(), (late) => late.release());
    const forget = onAbort(signal, () => void this.#cancel(client));
    let broken = false;
    try {
      return await use(this.#connectionOf(client));
    } catch (error) {
      broken = isConnectionLost(error);
      if (signal?.aborted) throw signal.reason;
      throw databaseError(error);
    } finally {
      forget();
      client.release(broken || signal?.aborted);
    }
  }

  /**
   * Has the server end what runs on a connection, by way of another one. Should that fail, `statement_timeout` ends it.
   */
  async #cancel({ processID }: pg.PoolClient & { readonly processID?: number }): Promise<void> {
    const canceller = new pg.Client({ ...this.#server, connectionTimeoutMillis: LIMITS.connectTimeout });
    canceller.on('error', () => {});
    try {
      await canceller.connect();
      await canceller.query('select pg_cancel_backend($1)', [processID]);
    } catch {
      // No caller waits for the outcome: the statement was already rejected.
    } finally {
      await canceller.end().catch(() => {});
    }
  }

  /** Whatever keeps a connection from being made, there is nothing that a client could do but come back. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailable(error);
    }
  }

  #connectionOf(client: pg.PoolClient): PostgresConnection {
    let connection = this.#connections.get(client);
    if (!connection) {
      connection = new PostgresConnection(client, this.#observers);
      this.#connections.set(client, connection);
    }
    return connection;
  }
}

class PostgresTransaction implements Transaction {
  readonly inTransaction = true;
  readonly #connection: PostgresConnection;
  readonly #scope: Scope;
  /** Responses come in the order of what was sent, so that with the last one all have come. */
  #last: Promise<unknown> = Promise.resolve();
  #committed: Promise<void> | undefined;

  /** Begins the transaction, together with its first statement. */
  constructor(connection: PostgresConnection, scope: Scope) {
    this.#connection = connection;
    this.#scope = scope;
    connection.gather();
    this.#follow(connection.command('begin read write'));
  }

  notifyLogGrowth(org: string, type: string): void {
    this.#scope.grownLogs.add(org);
    this.#scope.types.add(type);
  }

  run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    try {
      this.#scope.assertOpen();
      if (this.#scope.committing) throw new Error('A statement follows the last one of its transaction.');
    } catch (error) {
      return Promise.reject(this.#scope.fail(error));
    }
    this.#connection.gather();
    return this.#follow(this.#connection.execute(statement, params));
  }

  last<T>(statements: number, run: () => Promise<T>): Promise<T> {
    try {
      this.#scope.assertOpen();
      if (this.#scope.failure !== undefined) throw this.#scope.failure;
    } catch (error) {
      return Promise.reject(error);
    }
    const before = this.#connection.sent;
    const results = run();
    // The server knows nothing of a statement that failed before it was sent, and would commit the others.
    if (this.#connection.sent - before !== statements) {
      this.#scope.fail(new Error(`${statements} last statements were not all sent.`));
      return results;
    }
    this.#scope.committing = true;
    this.#committed = this.#follow(this.#connection.command('commit'));
    return results;
  }

  /** Resolves when the server has committed. */
  commit(): Promise<void> {
    this.#scope.committing = true;
    this.#committed ??= this.#follow(this.#connection.command('commit'));
    return this.#committed;
  }

  /** Resolves when no statement runs, whether they succeeded or not. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** A statement that fails dooms the transaction. */
  #follow<T>(result: Promise<T>): Promise<T> {
    const followed = result.catch((error: unknown) => {
      throw this.#scope.fail(databaseError(error));
    });
    this.#last = followed.catch(() => {});
    return followed;
  }
}

/**
 * Waits for a result until the signal is aborted.
 *
 * @param discard takes a result that comes after the abort.
 * @throws the signal's reason as soon as it is aborted.
 */
async function unless<T>(
  signal: AbortSignalLike | undefined,
  coming: Promise<T>,
  discard?: (late: T) => void,
): Promise<T> {
  if (!signal) return coming;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const forget = onAbort(signal, () => {
    reject(signal.reason);
    coming.then(discard, () => {});
  });
  try {
    return await Promise.race([coming, ended]);
  } finally {
    forget();
  }
}
