/** Runs a suite once on each engine, each time on a database of its own that is migrated and empty. */
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import Client from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, type TestContext, test } from 'vitest';
import type { Database, DatabaseOptions } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Templates, TestDatabases } from './global-setup.ts';
import { dropDatabases, servePglite, withServer } from './postgres.ts';
import { DEFAULTS } from './settings.ts';

type Row = Record<string, unknown>;

/** What a database has at the beginning: nothing, the tables, or the demo data in them. */
export type Content = 'bare' | keyof Templates;

/** A database that a test file has for itself, before the server's code opens it. */
export interface TestDatabase {
  readonly url: string;
  /**
   * Runs SQL past the server's code, to look at what it did or to get in its way. Without parameters there may be
   * several statements on PostgreSQL; the rows are the last one's.
   */
  query(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Opens it as the server does. On PGlite at most one may be open at a time. */
  open(options?: Partial<Omit<DatabaseOptions, 'url'>>): Promise<Database>;
  drop(): Promise<void>;
}

export interface TestEngine {
  readonly name: Database['engine'];
  /** For the titles of suites: it distinguishes PGlite from PostgreSQL. */
  readonly title: string;
  /** False on PGlite, which has one connection. */
  readonly concurrent: boolean;
  /** In hooks and tests: the suite's database, opened with the default options. */
  readonly database: Database;
  /** In hooks and tests: the database that `database` is open on. */
  readonly place: TestDatabase;
  /** Opens the suite's database once more, as another instance of the server would. Closed after the suite. */
  open(options?: Partial<Omit<DatabaseOptions, 'url'>>): Promise<Database>;
  /** To be called where the suite is declared: its database has the demo data, and not the tables alone. */
  withDemo(): void;
  /** Makes a further database. Dropped after the suite. */
  create(content: Content): Promise<TestDatabase>;
  /** A test that needs several connections, or a server that ends one. On PGlite it is reported as skipped, and why. */
  testConcurrent(title: string, run: (skip: TestContext['skip']) => Promise<void>): void;
}

/** @param only leaves the other engine out, for what it has no like of. */
export function describeEachEngine(
  title: string,
  suite: (engine: TestEngine) => void,
  only?: TestEngine['name'],
): void {
  for (const kind of engines(inject('databases'))) {
    if (only && kind.name !== only) continue;
    describe(`${title} (${kind.title})`, () => {
      suite(engineOf(kind));
    });
  }
}

const ASKS_ALL_OF_ALL = process.env['ENGINES'] === 'all';

/** Whether an engine is asked also what no engine can change. SQLite always is, the other one with `ENGINES=all`. */
export const asksAll = ({ name }: Pick<TestEngine, 'name'>): boolean => ASKS_ALL_OF_ALL || name === 'sqlite';

/** The same for a suite of what no engine can change, since it happens before the database is used, or after. `ENGINES=all` runs both. */
export const describeOnSqlite = (title: string, suite: (engine: TestEngine) => void): void =>
  describeEachEngine(title, suite, ASKS_ALL_OF_ALL ? undefined : 'sqlite');

/** The same for a suite that needs several connections throughout. On PGlite it is reported as one skipped test. */
export function describeConcurrently(title: string, suite: (engine: TestEngine) => void): void {
  describeEachEngine(title, (engine) => {
    if (engine.concurrent) suite(engine);
    else engine.testConcurrent('needs several connections', async () => undefined);
  });
}

interface Kind {
  readonly name: Database['engine'];
  readonly title: string;
  readonly concurrent: boolean;
  create(content: Content): Promise<TestDatabase>;
}

function engineOf(kind: Kind): TestEngine {
  let place: TestDatabase | undefined;
  let database: Database | undefined;
  let content: Content = 'migrated';
  const opened: Database[] = [];
  const created: TestDatabase[] = [];

  const create: TestEngine['create'] = async (wanted) => {
    const made = await kind.create(wanted);
    created.push(made);
    return made;
  };
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The database is there in hooks and tests only.');
    return value;
  };
  const open: TestEngine['open'] = async (options) => {
    const another = await present(place).open(options);
    opened.push(another);
    return another;
  };

  beforeAll(async () => {
    place = await create(content);
    database = await open();
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    for (const one of created) await one.drop();
  });

  return {
    name: kind.name,
    title: kind.title,
    concurrent: kind.concurrent,
    get database() {
      return present(database);
    },
    get place() {
      return present(place);
    },
    open,
    withDemo() {
      content = 'demo';
    },
    create,
    testConcurrent(testTitle, run) {
      test(testTitle, async ({ skip }) => {
        skip(!kind.concurrent, 'PGlite has one session, and does not interrupt it');
        await run(skip);
      });
    },
  };
}

function engines({ directory, sqlite, postgres }: TestDatabases): Kind[] {
  const onSqlite: Kind = {
    name: 'sqlite',
    title: 'SQLite',
    concurrent: true,
    create: (content) => createSqlite(directory, content === 'bare' ? undefined : sqlite[content]),
  };
  if (!postgres) return [onSqlite];
  if ('pglite' in postgres) {
    const { pglite } = postgres;
    const create: Kind['create'] = (content) =>
      createPglite(content === 'bare' ? undefined : pglite[content]);
    return [onSqlite, { name: 'postgres', title: 'PGlite', concurrent: false, create }];
  }
  const { server, prefix, templates } = postgres;
  const create: Kind['create'] = (content) =>
    createOnServer(server, prefix, content === 'bare' ? 'template0' : templates[content]);
  return [onSqlite, { name: 'postgres', title: 'PostgreSQL', concurrent: true, create }];
}

/** Milliseconds that a statement of a test waits for a file, also on a busy machine, and between two attempts. */
const LOCK_PATIENCE = 60_000;
const LOCK_PAUSE = 5;

/** Tries again while a transaction has the file. It may be one of this process, which goes on only between the attempts. */
async function untilFree(attempt: () => Row[]): Promise<Row[]> {
  for (const end = performance.now() + LOCK_PATIENCE; ; ) {
    try {
      return attempt();
    } catch (error) {
      const isBusy = error instanceof Client.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > end) throw error;
      await sleep(LOCK_PAUSE);
    }
  }
}

/** Looks past the server's code at a file, with what it has prepared: that takes longer than most queries. */
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
    // A long text has its rows in it, and comes once.
    if (sql.length < LONG_QUERY) this.#statements.set(sql, statement);
    if (statement.reader) return statement.all(...params);
    statement.run(...params);
    return [];
  }

  close(): void {
    this.#client?.close();
  }
}

/** Characters: what asks all tables at once is shorter. */
const LONG_QUERY = 20_000;

const unique = () => randomBytes(6).toString('hex');

async function createSqlite(directory: string, template: string | undefined): Promise<TestDatabase> {
  const file = join(directory, `${unique()}.db`);
  if (template) await copyFile(template, file);
  const url = `file:${file}`;
  const reader = new FileReader(file);
  return {
    url,
    query: (sql, params = []) => untilFree(() => reader.query(sql, params)),
    open: (options) => openDatabase({ ...DEFAULTS.database, ...options, url }),
    drop: async () => {
      reader.close();
      for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true });
    },
  };
}

/** Databases that nothing uses any more, of all test files that this process runs. */
const unused: string[] = [];

/**
 * How many of them are dropped together. Each drop waits for a checkpoint of the whole server, which writes what all tests have
 * written; drops at the same time share one. Those that remain go after the run.
 */
const DROPPED_TOGETHER = 8;

async function createOnServer(server: string, prefix: string, template: string): Promise<TestDatabase> {
  const name = `${prefix}${unique()}`;
  await withServer(server, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    // No test stops the database server, so none needs each of its commits on the disk before the next.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  const place = new URL(server);
  place.pathname = `/${name}`;
  const url = place.href;
  const connections = openConnections(url);
  return {
    url,
    query: (sql, params) => queryOn(connections, sql, params),
    open: (options) => openDatabase({ ...DEFAULTS.database, ...options, ...throughPooler(place) }),
    drop: async () => {
      await connections.end();
      unused.push(name);
      if (unused.length >= DROPPED_TOGETHER) await dropDatabases(server, unused.splice(0));
    },
  };
}

/**
 * The server's code goes through a pooler where `TEST_POOLER` names one by host and port: PgBouncer in transaction mode, of a
 * version that does not follow prepared statements.
 */
function throughPooler({ href }: URL): Pick<DatabaseOptions, 'url' | 'prepare'> {
  const pooler = process.env['TEST_POOLER'];
  if (!pooler) return { url: href };
  const url = new URL(href);
  url.host = pooler;
  return { url: url.href, prepare: false };
}

/** Connections that tests look past the server's code with. They are kept, since opening one takes longer than most queries. */
function openConnections(connectionString: string): pg.Pool {
  const connections = new pg.Pool({ connectionString, idleTimeoutMillis: 0 });
  // A test may cut them, or drop their database. The pool then opens others.
  connections.on('error', () => undefined);
  return connections;
}

async function queryOn(connections: pg.Pool, sql: string, params: readonly unknown[] = []): Promise<Row[]> {
  if (params.length > 0) return (await connections.query<Row>(sql, [...params])).rows;
  // Several statements give several results, which the driver's types do not say.
  const results: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await connections.query<Row>(sql);
  return (Array.isArray(results) ? results.at(-1)?.rows : results.rows) ?? [];
}

async function createPglite(template: string | undefined): Promise<TestDatabase> {
  const loadDataDir = template && new Blob([await readFile(template)]);
  const pglite = await PGlite.create({ ...(loadDataDir && { loadDataDir }) });
  const server = await servePglite(pglite);
  let isOpen = false;
  return {
    url: server.url,
    async query(sql, params = []) {
      // The session may be one that the server's code uses, and that reads outside of transactions.
      await pglite.exec('set default_transaction_read_only = off');
      try {
        if (params.length > 0) return (await pglite.query<Row>(sql, [...params])).rows;
        return (await pglite.exec(sql)).at(-1)?.rows ?? [];
      } finally {
        if (isOpen) await pglite.exec('set default_transaction_read_only = on');
      }
    },
    async open(options) {
      isOpen = true;
      // What an earlier connection prepared is still there, under the same names, and so are its settings.
      await pglite.exec('deallocate all; set default_transaction_read_only = on; set timezone = utc');
      return openDatabase({ ...options, url: server.url, pool: 1 });
    },
    async drop() {
      await server.stop();
      await pglite.close();
    },
  };
}
