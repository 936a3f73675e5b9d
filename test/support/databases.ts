/** Creates databases for tests on each engine, and accesses them without the server's code. */
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import Client from 'better-sqlite3';
import pg from 'pg';
import type { DatabaseOptions, OpenDatabase } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { DEFAULTS } from './settings.ts';
import type { Templates } from './vitest/global-setup.ts';

type Row = Record<string, unknown>;

/** The initial contents of a database: nothing, empty tables, or the demo data. */
export type Content = 'bare' | keyof Templates;

/** A database that only one test file uses. */
export interface TestDatabase {
  readonly url: string;
  /**
   * Runs SQL without the server's code, to inspect or disturb it. Without parameters, PostgreSQL accepts several statements and returns
   * the rows of the last one.
   */
  query(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs one statement without parameters that tests repeat. PostgreSQL prepares it, since planning a long one takes longer than running
   * it.
   *
   * @param name the name of the prepared statement, which always has the same text.
   */
  repeat(name: string, sql: string): Promise<Row[]>;
  /** Opens the database as the server does. On PGlite, at most one may be open at a time. */
  open(options?: Partial<Omit<DatabaseOptions, 'url'>>): Promise<OpenDatabase>;
  drop(): Promise<void>;
}

/** Milliseconds that a test's statement waits for a locked file, even on a busy machine, and milliseconds between two attempts. */
const LOCK_TIMEOUT = 60_000;
const LOCK_RETRY_DELAY = 5;

/** Retries while a transaction locks the file. It may be a transaction of this process, which only continues between attempts. */
async function untilFree(attempt: () => Row[]): Promise<Row[]> {
  for (const end = performance.now() + LOCK_TIMEOUT; ; ) {
    try {
      return attempt();
    } catch (error) {
      const isBusy = error instanceof Client.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > end) throw error;
      await sleep(LOCK_RETRY_DELAY);
    }
  }
}

/** Reads a SQLite file without the server's code. Caches prepared statements, since preparing takes longer than most queries. */
class FileReader {
  readonly #file: string;
  readonly #statements = new Map<string, Client.Statement<unknown[], Row>>();
  #client: Client.Database | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  query(sql: string, params: readonly unknown[]): Row[] {
    this.#client ??= new Client(this.#file, { timeout: 0 });
    const statement = this.#statements.get(sql) ?? this.#client.prepare<unknown[], Row>(sql);
    // A long statement contains the rows that it inserts, and runs only once.
    if (sql.length < LONG_QUERY) this.#statements.set(sql, statement);
    if (statement.reader) return statement.all(...params);
    statement.run(...params);
    return [];
  }

  close(): void {
    this.#client?.close();
  }
}

/** Longer statements are not cached, in characters. The statement that reads all tables is shorter. */
const LONG_QUERY = 20_000;

const unique = () => randomBytes(6).toString('hex');

export async function createSqlite(directory: string, template: string | undefined): Promise<TestDatabase> {
  const file = join(directory, `${unique()}.db`);
  if (template) await copyFile(template, file);
  const url = `file:${file}`;
  const reader = new FileReader(file);
  return {
    url,
    query: (sql, params = []) => untilFree(() => reader.query(sql, params)),
    repeat: (_name, sql) => untilFree(() => reader.query(sql, [])),
    open: (options) => openDatabase({ ...DEFAULTS.database, ...options, url }),
    drop: async () => {
      reader.close();
      for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true });
    },
  };
}

/** Unused databases of all test files that this process has run. */
const unused: string[] = [];

/**
 * The number of databases that are dropped together. Each drop waits for a checkpoint of the whole server, which writes the changes of all
 * tests; concurrent drops share one. The remaining databases are dropped after the run.
 */
const DROPPED_TOGETHER = 8;

/** The connections with which this process creates and drops databases, by the URL of the server. */
const servers = new Map<string, pg.Pool>();

function connectionsTo(server: string): pg.Pool {
  const connections = servers.get(server) ?? openConnections(server);
  servers.set(server, connections);
  return connections;
}

export async function createOnServer(
  server: string,
  prefix: string,
  template: string,
): Promise<TestDatabase> {
  const name = `${prefix}${unique()}`;
  const onServer = connectionsTo(server);
  await onServer.query(`create database ${name} template ${template} strategy file_copy`);
  // No test stops the database server, so commits need not be durable.
  await onServer.query(`alter database ${name} set synchronous_commit = off`);
  const place = new URL(server);
  place.pathname = `/${name}`;
  const url = place.href;
  const connections = openConnections(url);
  return {
    url,
    query: (sql, params) => queryOn(connections, sql, params),
    repeat: async (name, text) => (await connections.query<Row>({ name, text })).rows,
    open: (options) => openDatabase({ ...DEFAULTS.database, ...options, ...throughPooler(place) }),
    drop: async () => {
      await connections.end();
      unused.push(name);
      if (unused.length < DROPPED_TOGETHER) return;
      const dropped = unused.splice(0).map((each) => `drop database if exists ${each} with (force)`);
      await Promise.all(dropped.map((sql) => onServer.query(sql)));
    },
  };
}

/**
 * If `TEST_POOLER` is set to a host and port, the server's code connects through this pooler: PgBouncer in transaction mode, in a
 * version that does not track prepared statements.
 */
function throughPooler({ href }: URL): Pick<DatabaseOptions, 'url' | 'prepare'> {
  const pooler = process.env['TEST_POOLER'];
  if (!pooler) return { url: href };
  const url = new URL(href);
  url.host = pooler;
  return { url: url.href, prepare: false };
}

/** Opens the pool for direct SQL of tests. Connections stay open, since connecting takes longer than most queries. */
function openConnections(connectionString: string): pg.Pool {
  const connections = new pg.Pool({ connectionString, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A test may terminate connections or drop the database. The pool then opens new ones.
  connections.on('error', () => undefined);
  return connections;
}

async function queryOn(connections: pg.Pool, sql: string, params: readonly unknown[] = []): Promise<Row[]> {
  if (params.length > 0) return (await connections.query<Row>(sql, [...params])).rows;
  // For several statements, the driver returns an array of results, which its types do not declare.
  const results: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await connections.query<Row>(sql);
  return (Array.isArray(results) ? results.at(-1)?.rows : results.rows) ?? [];
}

export async function createPglite(template: string | undefined): Promise<TestDatabase> {
  const loadDataDir = template && new Blob([await readFile(template)]);
  const pglite = await PGlite.create({ ...(loadDataDir && { loadDataDir }) });
  const server = await servePglite(pglite);
  let isOpen = false;
  const query: TestDatabase['query'] = async (sql, params = []) => {
    // The server's code uses the same session, and makes it read-only outside of transactions.
    await pglite.exec('set default_transaction_read_only = off');
    try {
      if (params.length > 0) return (await pglite.query<Row>(sql, [...params])).rows;
      return (await pglite.exec(sql)).at(-1)?.rows ?? [];
    } finally {
      if (isOpen) await pglite.exec('set default_transaction_read_only = on');
    }
  };
  return {
    url: server.url,
    query,
    repeat: (_name, sql) => query(sql),
    async open(options) {
      isOpen = true;
      // The prepared statements and settings of an earlier connection are still there, under the same names.
      await pglite.exec('deallocate all; set default_transaction_read_only = on; set timezone = utc');
      return openDatabase({ ...options, url: server.url, pool: 1 });
    },
    async drop() {
      await server.stop();
      await pglite.close();
    },
  };
}

/** Connects for the duration of a function. */
export async function withServer<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Drops databases concurrently, each over a separate connection. */
export async function dropDatabases(server: string, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) =>
      withServer(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
    ),
  );
}

interface PgliteServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves PGlite on a socket, so that the engine under test uses its regular driver. All connections share a single session with its
 * prepared statements, so only one of them may be in use.
 */
export async function servePglite(pglite: PGlite): Promise<PgliteServer> {
  // Many, since each server of a test file keeps a connection, and a closed one still counts for some time.
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections: 100 });
  await server.start();
  return { url: `postgres://postgres@${server.getServerConn()}/postgres`, stop: () => server.stop() };
}
