/** The connections to the server that takes writes, or to one replica, and whose turn it is to use one. */
import pg from 'pg';
import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { type Flow, OWN_WORK } from '../../core/fair-queue.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import { LIMITS } from '../../core/limits.ts';
import type { DatabaseLoad, Observers } from '../database.ts';
import { databaseError, isConnectionLost, isNotPrimary, unavailable } from '../errors.ts';
import { cancelRunning } from './cancel.ts';
import { PostgresConnection } from './connection.ts';
import { urlsOf } from './servers.ts';
import { HAS_SETTINGS, refusesOptions, STARTUP_OPTIONS } from './session.ts';

export interface PoolOptions extends Observers {
  /** Where the server is; several hosts where one of them takes writes. */
  readonly url: string;
  /** Connections at most. */
  readonly connections: number;
  /** Whether the server keeps statements by name. */
  readonly prepare: boolean;
  /** Whether a server that only replays another one's changes will do. */
  readonly acceptsReplica: boolean;
  /** Called when a connection breaks: the server may have been started again. */
  readonly onBroken?: () => void;
}

/** What was found out about a session when it was opened. */
interface Opened {
  readonly connection: PostgresConnection;
  /** How often the primary had been lost by then. */
  readonly generation: number;
}

export class PostgresPool {
  readonly #urls: readonly [string, ...string[]];
  /** Which of them new connections lead to. */
  #current = 0;
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  /** Connections of the pool. Its own queue is first come, first served, so nothing waits there. */
  readonly #slots: FairSlots;
  /** Those of them that expensive queries use. */
  readonly #expensiveSlots: FairSlots;
  readonly #opened = new WeakMap<pg.PoolClient, Opened>();
  /** Grows when the server turns out to be no primary any more: connections of before are dropped. */
  #generation = 0;
  /** Whether there is a pooler in between that takes no settings of a session. */
  #isPooled = false;
  #closing: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#urls = urlsOf(options.url);
    const { connections } = options;
    const waiting = {
      capacity: LIMITS.waitingForDatabase,
      refusal: () => unavailable(new Error('No connection to PostgreSQL became free.')),
    };
    this.#slots = new FairSlots({ slots: connections, patience: LIMITS.acquireTimeout, ...waiting });
    const few = Math.max(1, Math.floor(connections * LIMITS.expensiveShare));
    // The deadline of each query bounds how long it waits here: one of many statements has most of them waiting.
    this.#expensiveSlots = new FairSlots({ slots: few, ...waiting });
    this.#pool = this.#createPool(connections);
  }

  load(): DatabaseLoad {
    const { totalCount, idleCount } = this.#pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: this.#slots.waiting + this.#expensiveSlots.waiting,
    };
  }

  /**
   * A connection that broke does not go back to the pool, nor one on which something was cancelled: the server may come to
   * that when the next statement runs there.
   *
   * @throws the signal's reason, or what `databaseError` makes of the failure.
   */
  use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    signal?: AbortSignalLike,
    flow = OWN_WORK,
  ): Promise<T> {
    const onConnection = () => this.#onConnection(work, signal);
    const inTurn = () => this.#withSlot(this.#slots, onConnection, signal, flow);
    return flow.isExpensive ? this.#withSlot(this.#expensiveSlots, inTurn, signal, flow) : inTurn();
  }

  /** Resolves when the connections that are in use have been given back. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  #createPool(max: number): pg.Pool {
    const configOf = () => ({
      connectionString: this.#urls[this.#current],
      ...(!this.#isPooled && { options: STARTUP_OPTIONS }),
    });
    /** A client of the server that takes writes at the time. */
    class CurrentClient extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, ...configOf() });
      }
    }
    const pool = new pg.Pool({
      Client: CurrentClient,
      application_name: 'portico',
      max,
      connectionTimeoutMillis: LIMITS.acquireTimeout,
      keepAlive: true,
      // Statements of a transaction that are started together are sent together.
      pipeline: true,
      verify: (client, done) => void this.#verify(client).then(() => done(), done),
    });
    // An idle connection that breaks is dropped from the pool, and on one in use the
    // statement fails. An `error` event without a listener would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => this.#options.onBroken?.()));
    return pool;
  }

  /** Looks at a new session. @throws an Error where it is of no use. */
  async #verify(client: pg.PoolClient): Promise<void> {
    const generation = this.#generation;
    const look = {
      text: `select pg_is_in_recovery() as replica, ${HAS_SETTINGS} as configured`,
      query_timeout: LIMITS.acquireTimeout,
    };
    const { rows } = await client.query<{ replica: boolean; configured: boolean }>(look);
    if (rows[0]?.replica && !this.#options.acceptsReplica)
      throw new Error('This PostgreSQL takes no writes.');
    const isPooled = !rows[0]?.configured;
    this.#opened.set(client, {
      connection: new PostgresConnection(client, { ...this.#options, isPooled }),
      generation,
    });
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
    const connection = await unless(signal, this.#connect(), ({ client }) => client.release());
    const { client } = connection;
    const forget = onAbort(signal, () => cancelRunning(client));
    let broken = false;
    try {
      return await use(connection);
    } catch (error) {
      broken = isConnectionLost(error);
      if (isNotPrimary(error)) this.#generation += 1;
      if (signal?.aborted) throw signal.reason;
      throw databaseError(error);
    } finally {
      forget();
      client.release(broken || signal?.aborted);
    }
  }

  /** Whatever keeps a connection from being made, there is nothing that a client could do but come back. */
  async #connect(): Promise<PostgresConnection> {
    for (let failures = 0; ; ) {
      const tried = this.#current;
      const wasPooled = this.#isPooled;
      try {
        const client = await this.#pool.connect();
        const opened = this.#opened.get(client);
        if (opened && opened.generation === this.#generation) return opened.connection;
        client.release(true);
      } catch (error) {
        if (refusesOptions(error) && !wasPooled) {
          this.#isPooled = true;
          continue;
        }
        failures += 1;
        if (failures >= this.#urls.length) throw unavailable(error);
        // Of callers that fail at the same time, one goes on to the next server for all.
        if (this.#current === tried) this.#current = (tried + 1) % this.#urls.length;
      }
    }
  }
}

/**
 * Waits for a result until the signal is aborted.
 *
 * @param discard takes a result that comes after the abort.
 * @throws the signal's reason as soon as it is aborted.
 */
export async function unless<T>(
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
