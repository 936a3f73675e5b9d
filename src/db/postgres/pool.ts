/** The connections to the primary or to one replica, shared fairly between callers. */
import pg from 'pg';
import { type AbortSignalLike, onAbort } from '../../core/deadline.ts';
import { OWN_WORK } from '../../core/fair-queue.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import { LIMITS } from '../../core/limits.ts';
import { unlessAborted } from '../../core/promises.ts';
import type { PoolLoad } from '../../observability/metrics.ts';
import type { Observers } from '../database.ts';
import { databaseError, isConnectionLost, isNotPrimary, isServerFull, unavailable } from '../errors.ts';
import type { Statement } from '../statement.ts';
import { cancelRunning } from './cancel.ts';
import { PostgresConnection } from './connection.ts';
import { urlsOf } from './servers.ts';
import { HAS_SETTINGS, refusesOptions, STARTUP_OPTIONS } from './session.ts';
import { SharedReads } from './shared-reads.ts';

export interface PoolOptions extends Observers {
  /** The URL of the server, with several hosts if one of them is the primary. */
  readonly url: string;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Whether to use named prepared statements. */
  readonly prepare: boolean;
  /** Whether the server may be a replica. */
  readonly acceptsReplica: boolean;
  /** Called when a connection breaks, since the server may have been restarted. */
  readonly onBroken?: () => void;
}

/** A session that was verified when it was opened. */
interface Opened {
  readonly connection: PostgresConnection;
  /** The generation of the pool at that time. */
  readonly generation: number;
}

/** The number of connections that expensive queries may use, of all that may be used. */
const shareOf = (connections: number): number => Math.max(1, Math.floor(connections * LIMITS.expensiveShare));

/** The server has no room for another connection, but this pool has others, which become free. */
class NoRoom extends Error {}

export class PostgresPool {
  readonly #urls: readonly [string, ...string[]];
  /** The index of the URL that new connections use. */
  #current = 0;
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  /** One slot per connection. Callers wait here and not in the queue of the pool, which is first come, first served. */
  readonly #slots: FairSlots;
  /** The slots that expensive queries may use, in addition to one of {@link #slots}. */
  readonly #expensiveSlots: FairSlots;
  readonly #sharedReads: SharedReads;
  readonly #opened = new WeakMap<pg.PoolClient, Opened>();
  /** Increases when the server is found to be a standby, so that connections opened earlier are dropped. */
  #generation = 0;
  /** Whether a pooler in between rejects the settings of a session. */
  #isPooled = false;
  #closing: Promise<void> | undefined;
  #fullTimer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#urls = urlsOf(options.url);
    const { connections } = options;
    const waiting = {
      capacity: LIMITS.waitingForDatabase,
      refusal: () => unavailable(new Error('No connection to PostgreSQL became free.')),
    };
    this.#slots = new FairSlots({ slots: connections, patience: LIMITS.acquireTimeout, ...waiting });
    // Without a time limit of its own, since most statements of a large expensive query wait here: the query's deadline is the limit.
    this.#expensiveSlots = new FairSlots({ slots: shareOf(connections), ...waiting });
    this.#sharedReads = new SharedReads({
      isFull: () => this.#slots.isFull,
      use: (work, signal) => this.use(work, signal),
    });
    this.#pool = this.#createPool(connections);
  }

  load(): PoolLoad {
    const { totalCount, idleCount } = this.#pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: this.#slots.waiting + this.#expensiveSlots.waiting,
    };
  }

  /**
   * Runs work on a connection. A broken connection does not return to the pool, nor does one on which a statement was cancelled,
   * since the server may process the cancellation when the next statement runs there.
   *
   * @throws the signal's reason, or the failure as `databaseError` translates it.
   */
  use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    signal?: AbortSignalLike,
    flow = OWN_WORK,
  ): Promise<T> {
    const onConnection = () => this.#onConnection(work, signal);
    const onSlot = async () => {
      for (;;) {
        try {
          return await this.#slots.use(onConnection, flow, signal);
        } catch (error) {
          // Nothing has run. There are fewer slots now, so this waits for one whose connection is open.
          if (!(error instanceof NoRoom)) throw error;
        }
      }
    };
    return flow.isExpensive ? this.#expensiveSlots.use(onSlot, flow, signal) : onSlot();
  }

  /**
   * Runs a statement outside of a transaction, together with others that its caller starts in this turn of the event loop.
   *
   * @throws the signal's reason, or the failure as `databaseError` translates it.
   */
  read<P extends object, Result>(
    statement: Statement<P, Result>,
    params: P,
    signal?: AbortSignalLike,
    flow = OWN_WORK,
  ): Promise<Result> {
    const read = (connection: PostgresConnection) => connection.read(statement, params);
    const alone = () => this.use((connection) => unlessAborted(read(connection), signal), signal, flow);
    // A pooler may give each transaction another session. An expensive statement would delay those behind it, and the server's own
    // work is for many callers. If there is no free connection, each read waits in the queue of its caller.
    if (this.#isPooled || flow === OWN_WORK || flow.isExpensive || this.#slots.isFull) return alone();
    return this.#sharedReads.run({ read, signal, caller: flow.caller, alone });
  }

  /** Closes the pool. Resolves when the connections in use have been released. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  #createPool(max: number): pg.Pool {
    const configOf = () => ({
      connectionString: this.#urls[this.#current],
      ...(!this.#isPooled && { options: STARTUP_OPTIONS }),
    });
    /** A client of the server at the current URL. */
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
    // The pool drops an idle connection that breaks, and on a connection in use the
    // statement fails. An `error` event without a listener would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => this.#options.onBroken?.()));
    return pool;
  }

  /** Checks a new session. @throws an Error if it cannot be used. */
  async #verify(client: pg.PoolClient): Promise<void> {
    const generation = this.#generation;
    const look = {
      text: `select pg_is_in_recovery() as replica, ${HAS_SETTINGS} as configured`,
      query_timeout: LIMITS.acquireTimeout,
    };
    const { rows } = await client.query<{ replica: boolean; configured: boolean }>(look);
    if (rows[0]?.replica && !this.#options.acceptsReplica)
      throw new Error('This PostgreSQL server accepts no writes.');
    const isPooled = !rows[0]?.configured;
    this.#opened.set(client, {
      connection: new PostgresConnection(client, { ...this.#options, isPooled }),
      generation,
    });
  }

  async #onConnection<T>(
    use: (connection: PostgresConnection) => Promise<T>,
    signal: AbortSignalLike | undefined,
  ): Promise<T> {
    const connection = await unlessAborted(this.#connect(), signal, ({ client }) => client.release());
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

  /** Returns a verified connection. @throws `unavailable` for every failure to connect, since clients can only retry. */
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
        if (isServerFull(error) && this.#pool.totalCount > 0) {
          this.#restrictTo(this.#pool.totalCount);
          throw new NoRoom();
        }
        failures += 1;
        if (failures >= this.#urls.length) throw unavailable(error);
        // If several callers fail at the same time, only the first one switches to the next server.
        if (this.#current === tried) this.#current = (tried + 1) % this.#urls.length;
      }
    }
  }

  /** Uses no more connections than are open, until the server may have room again. */
  #restrictTo(connections: number): void {
    this.#slots.limitTo(connections);
    this.#expensiveSlots.limitTo(shareOf(connections));
    this.#afterPause(() => {
      this.#slots.limitTo();
      // Later than the others: while the server still has no room, their attempts restrict both again.
      this.#afterPause(() => this.#expensiveSlots.limitTo());
    });
  }

  #afterPause(then: () => void): void {
    clearTimeout(this.#fullTimer);
    this.#fullTimer = setTimeout(then, LIMITS.fullServerPause).unref();
  }
}
