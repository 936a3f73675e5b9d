/**
 * Runs once per test run: starts PostgreSQL or looks for one, looks for Redis, and creates the template databases of each engine: a
 * migrated one, and one with the demo data. Test files copy a template, which takes a fraction of the time of a migration.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { hash as argon2 } from '@node-rs/argon2';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { DEMO_PASSWORD } from '../../../src/cli/demo/data.ts';
import { installDemo } from '../../../src/cli/demo/install.ts';
import { migrate, openDatabase } from '../../../src/db/open.ts';
import { dropDatabases, servePglite, withServer } from '../databases.ts';
import { BUNDLE, ROOT, SHORT_LIVED } from '../process.ts';
import { bundlePrograms } from './bundle.ts';
import { startThrowawayServer } from './postgres-server.ts';

/** The URL of a running PostgreSQL in common setups. With trust authentication, the password is ignored. */
const LOCAL_SERVER = 'postgres://postgres:postgres@localhost:5432/postgres';

const LOCAL_REDIS = 'redis://localhost:6379';

/** The compile cache of `npm run test:quick`, which is kept between runs. */
const COMPILED = 'node_modules/.cache/portico-tests';

/** Linux's in-memory file system. */
const MEMORY_FOLDER = '/dev/shm';

/** The minimum free bytes there: more than the databases of all test files that run at the same time, with their write-ahead logs. */
const MIN_FREE_SPACE = 1024 ** 3;

/** Milliseconds until a server that does not respond counts as absent. */
const CONNECT_TIMEOUT = 2000;

/** The template databases of an engine. */
export interface Templates {
  /** Empty tables. */
  readonly migrated: string;
  /** The demo data. All users have the same password hash. */
  readonly demo: string;
}

export interface TestDatabases {
  /** A directory that is deleted after the run. */
  readonly directory: string;
  /** Paths of SQLite files. */
  readonly sqlite: Templates;
  /** Undefined if the tests only run on SQLite. */
  readonly postgres:
    | undefined
    /** Names of databases. */
    | { readonly server: string; readonly prefix: string; readonly templates: Templates }
    /** Paths of archives with data directories for PGlite. */
    | { readonly pglite: Templates; readonly reason: string };
}

/** The Redis that all tests share, and that no test may stop or flush; or the reason why there is none. */
type TestRedis = { readonly url: string } | { readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    databases: TestDatabases;
    redis: TestRedis;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { mode } = project.config;
  const isQuick = mode === 'quick';
  const directory = await mkdtemp(join(await fastestFolder(), 'portico-test-'));
  await using cleanups = new AsyncDisposableStack();
  // An exiting process may still be writing to the compile cache.
  cleanups.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  // Workers and the servers that tests start share Node's compile cache, with which a server starts in four fifths of the time. Quick
  // runs start no servers and reuse the cache of the last run: Node validates it by the contents of files, and workers add new files.
  const compiled = isQuick ? join(ROOT, COMPILED) : join(directory, 'compiled');
  process.env['NODE_COMPILE_CACHE'] = compiled;
  const filled = Promise.all([
    ...(existsSync(compiled) ? [] : [fillCompileCache(compiled, join(ROOT, 'src/cli/compile.ts'))]),
    ...(startsFew(mode) ? [] : [bundle(directory, compiled)]),
  ]);
  // They write to the directory.
  cleanups.defer(() => filled.then(undefined, () => undefined));
  const sqlite = await sqliteTemplates(directory);
  const postgres = isQuick ? undefined : await postgresTemplates(directory, cleanups);
  project.provide('redis', await findRedis());
  await filled;
  project.provide('databases', { directory, sqlite, postgres });
  const afterRun = cleanups.move();
  return () => afterRun.disposeAsync();
}

/** Whether the tests of a mode start so few processes that bundling the programs would take longer. */
const startsFew = (mode: string) => mode === 'quick' || mode === 'in-process';

/**
 * Fills the compile cache with the server's code. Node only writes the cache when a process exits by itself, and tests kill most of
 * their processes.
 *
 * @param directory the compile cache.
 * @param script a program that imports all of the code.
 * @param options those of the processes that will use the cache: V8 has a separate one for options that affect compiled code.
 */
async function fillCompileCache(
  directory: string,
  script: string,
  options: readonly string[] = [],
): Promise<void> {
  const child = spawn(process.execPath, [...options, script], {
    env: { ...process.env, NODE_COMPILE_CACHE: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The server could not be loaded: exit code ${code}.`);
}

/** Bundles the programs that tests start, and compiles them. */
async function bundle(directory: string, compiled: string): Promise<void> {
  const folder = join(directory, 'bundle');
  const script = await bundlePrograms(ROOT, folder);
  process.env[BUNDLE] = folder;
  await fillCompileCache(compiled, script, SHORT_LIVED);
}

/** Returns the folder for databases. SQLite waits for the disk at each commit, so memory is faster, and tests need no durability. */
async function fastestFolder(): Promise<string> {
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MIN_FREE_SPACE ? MEMORY_FOLDER : tmpdir();
}

async function findServer(
  directory: string,
  cleanups: AsyncDisposableStack,
): Promise<{ server: string } | { reason: string }> {
  // A pooler is in front of a server that is already running.
  if (!process.env['TEST_DATABASE_URL'] && !process.env['TEST_POOLER']) {
    const throwaway = await startThrowawayServer(directory, cleanups);
    if (throwaway) return { server: throwaway };
  }
  const server = process.env['TEST_DATABASE_URL'] || LOCAL_SERVER;
  const absence = await absenceOf('PostgreSQL', 'TEST_DATABASE_URL', server, async () => {
    const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: CONNECT_TIMEOUT });
    await client.connect();
    await client.end();
  });
  return absence ?? { server };
}

async function findRedis(): Promise<TestRedis> {
  const url = process.env['TEST_REDIS_URL'] || LOCAL_REDIS;
  const absence = await absenceOf('Redis', 'TEST_REDIS_URL', url, async () => {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT,
      retryStrategy: () => null,
    });
    // `connect` rejects with the same error. Without a listener, it would be logged as well.
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      await redis.ping();
    } finally {
      redis.disconnect();
    }
  });
  return absence ?? { url };
}

/**
 * @param variable the environment variable with the URL of the server, or `none`.
 * @param check rejects if the server does not respond.
 * @returns the reason why there is no server; undefined if it responds.
 * @throws Error if the server is required, by its URL or by CI, and does not respond.
 */
async function absenceOf(
  name: string,
  variable: string,
  url: string,
  check: () => Promise<void>,
): Promise<{ reason: string } | undefined> {
  const wanted = process.env[variable];
  if (wanted === 'none') return { reason: `${variable} is none` };
  try {
    await check();
    return undefined;
  } catch (cause) {
    const reason = `${new URL(url).host} does not accept connections: ${cause instanceof Error ? cause.message : cause}`;
    if (wanted) throw new Error(`${variable} is set, but ${reason}`, { cause });
    if (process.env['CI'] === 'true') {
      throw new Error(`CI requires ${name}, unless ${variable} is none: ${reason}`, { cause });
    }
    return { reason };
  }
}

/**
 * Hashes a password with the minimum cost. Verification uses the parameters of the hash, so logins are fast in tests that are about
 * something else.
 */
const cheapHash = (password: string): Promise<string> =>
  argon2(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

async function fill(url: string): Promise<void> {
  const hash = await cheapHash(DEMO_PASSWORD);
  const database = await openDatabase({ url, pool: 1 });
  await installDemo(database, async () => hash);
  await database.close();
}

async function sqliteTemplates(directory: string): Promise<Templates> {
  const templates = { migrated: join(directory, 'migrated.db'), demo: join(directory, 'demo.db') };
  await migrate(`file:${templates.migrated}`);
  await copyFile(templates.migrated, templates.demo);
  await fill(`file:${templates.demo}`);
  return templates;
}

async function postgresTemplates(
  directory: string,
  cleanups: AsyncDisposableStack,
): Promise<NonNullable<TestDatabases['postgres']>> {
  const found = await findServer(directory, cleanups);
  if ('server' in found) return serverTemplates(found.server, cleanups);
  process.stderr.write(
    `PGlite replaces PostgreSQL (${found.reason}): tests that need several connections are skipped.\n`,
  );
  return { reason: found.reason, pglite: await pgliteTemplates(directory) };
}

async function serverTemplates(server: string, cleanups: AsyncDisposableStack) {
  const prefix = `portico_test_${randomBytes(4).toString('hex')}_`;
  cleanups.defer(() => dropAll(server, prefix));
  const templates = { migrated: `${prefix}migrated`, demo: `${prefix}demo` };
  const urlOf = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await withServer(server, async (client) => {
    await client.query(`create database ${templates.migrated}`);
    await migrate(urlOf(templates.migrated));
    await client.query(`create database ${templates.demo} template ${templates.migrated}`);
  });
  await fill(urlOf(templates.demo));
  return { server, prefix, templates };
}

async function pgliteTemplates(directory: string): Promise<Templates> {
  const pglite = await PGlite.create();
  const archive = async (name: string, make: (url: string) => Promise<void>) => {
    const server = await servePglite(pglite);
    await make(server.url);
    await server.stop();
    const file = join(directory, name);
    const data = await pglite.dumpDataDir('none');
    await writeFile(file, Buffer.from(await data.arrayBuffer()));
    return file;
  };
  const templates = {
    migrated: await archive('migrated.tar', migrate),
    demo: await archive('demo.tar', fill),
  };
  await pglite.close();
  return templates;
}

/** Drops all databases with the prefix of this run, including those that killed tests have left behind. */
async function dropAll(server: string, prefix: string): Promise<void> {
  await withServer(server, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    await dropDatabases(
      server,
      rows.map(({ datname }) => String(datname)),
    );
  });
}
