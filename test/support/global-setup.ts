/**
 * Once per run: finds out which PostgreSQL and Redis the tests can have, and makes templates of each engine's database:
 * a migrated one, and one with the demo data. A test file copies one, which takes a fraction of the time of making it anew.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { hash as argon2 } from '@node-rs/argon2';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { bundlePrograms } from './bundle.ts';
import { BUNDLE } from './bundled.ts';
import { dropDatabases, servePglite, withServer } from './postgres.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where a PostgreSQL of the usual setups answers; one that trusts the machine itself does not look at the password. */
const LOCAL_SERVER = 'postgres://postgres:postgres@localhost:5432/postgres';

const LOCAL_REDIS = 'redis://localhost:6379';

/** Where what is quick keeps what Node has compiled. */
const COMPILED = 'node_modules/.cache/portico-tests';

/** Files in memory, where Linux has them. */
const MEMORY = '/dev/shm';

/** Bytes that must be free there: more than all databases of all test files that run at a time, with their logs. */
const ROOM = 1024 ** 3;

/** Milliseconds until a server that does not answer counts as absent. */
const LOOK = 2000;

/** Where there is what a test's database is copied from. */
export interface Templates {
  /** Without a row. */
  readonly migrated: string;
  /** With the demo data, whose people all have one hash. */
  readonly demo: string;
}

export interface TestDatabases {
  /** A directory that is removed after the run. */
  readonly directory: string;
  /** SQLite files. */
  readonly sqlite: Templates;
  /** Undefined where the tests are to run on SQLite alone. */
  readonly postgres:
    | undefined
    /** Names of databases. */
    | { readonly server: string; readonly prefix: string; readonly templates: Templates }
    /** Data directories for PGlite, as archives. */
    | { readonly pglite: Templates; readonly reason: string };
}

/** The server that tests share, which none of them may stop or empty, or why there is none. */
export type TestRedis = { readonly url: string } | { readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    databases: TestDatabases;
    redis: TestRedis;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Which starts no process.
  const isQuick = project.config.mode === 'quick';
  const directory = await mkdtemp(join(await fastestFolder(), 'portico-test-'));
  // Workers, and the servers that tests start, share what Node has compiled: a server starts in four fifths of the time. What is
  // quick starts none, and finds what its last run compiled: Node looks at what a file says, and workers add what is new.
  const compiled = isQuick ? join(ROOT, COMPILED) : join(directory, 'compiled');
  process.env['NODE_COMPILE_CACHE'] = compiled;
  const filled = Promise.all([
    ...(existsSync(compiled) ? [] : [fillCompileCache(compiled, join(ROOT, 'src/cli/compile.ts'))]),
    ...(isQuick ? [] : [bundle(directory, compiled)]),
  ]);
  const sqlite = await sqliteTemplates(directory);
  const postgres = isQuick ? undefined : await postgresTemplates(directory);
  project.provide('redis', await findRedis());
  await filled;
  project.provide('databases', { directory, sqlite, postgres });
  return async () => {
    if (postgres && 'server' in postgres) await dropAll(postgres.server, postgres.prefix);
    // A process that ends may still be writing down what it compiled.
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
}

/**
 * Has Node write down what it compiles of the server, for the workers and the servers that tests start: Node does so when a process
 * ends by itself, which most of those in tests are not left to.
 *
 * @param directory where it is written down.
 * @param script loads all of it.
 */
async function fillCompileCache(directory: string, script: string): Promise<void> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_COMPILE_CACHE: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The server could not be loaded: exit code ${code}.`);
}

/** Bundles the programs that tests start, and has them compiled. */
async function bundle(directory: string, compiled: string): Promise<void> {
  const folder = join(directory, 'bundle');
  const script = await bundlePrograms(ROOT, folder);
  process.env[BUNDLE] = folder;
  await fillCompileCache(compiled, script);
}

/** SQLite waits for the disk at each commit. No test takes the power away, so that none needs one. */
async function fastestFolder(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room >= ROOM ? MEMORY : tmpdir();
}

async function findServer(): Promise<{ server: string } | { reason: string }> {
  const server = process.env['TEST_DATABASE_URL'] || LOCAL_SERVER;
  const absence = await absenceOf('PostgreSQL', 'TEST_DATABASE_URL', server, async () => {
    const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: LOOK });
    await client.connect();
    await client.end();
  });
  return absence ?? { server };
}

async function findRedis(): Promise<TestRedis> {
  const url = process.env['TEST_REDIS_URL'] || LOCAL_REDIS;
  const absence = await absenceOf('Redis', 'TEST_REDIS_URL', url, async () => {
    const redis = new Redis(url, { lazyConnect: true, connectTimeout: LOOK, retryStrategy: () => null });
    // The command below rejects with it; without a listener it would be written out as well.
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
 * @param variable names the setting that asks for a server by its URL, or for none.
 * @param look rejects where the server at the URL does not answer.
 * @returns why the tests do without one, or undefined where it answers.
 * @throws an Error where it was asked for, by its URL or by CI, and does not answer.
 */
async function absenceOf(
  name: string,
  variable: string,
  url: string,
  look: () => Promise<void>,
): Promise<{ reason: string } | undefined> {
  const wanted = process.env[variable];
  if (wanted === 'none') return { reason: `${variable} is none` };
  try {
    await look();
    return undefined;
  } catch (cause) {
    const reason = `${new URL(url).host} gives no connection: ${cause instanceof Error ? cause.message : cause}`;
    if (wanted) throw new Error(`${variable} is set, but ${reason}`, { cause });
    if (process.env['CI'] === 'true') {
      throw new Error(`CI needs ${name}, or ${variable}=none to do without: ${reason}`, { cause });
    }
    return { reason };
  }
}

/**
 * A hash with the least cost there is. Verifying takes the parameters of the hash, so that signing in takes no time where a test is
 * about something else.
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

async function postgresTemplates(directory: string): Promise<NonNullable<TestDatabases['postgres']>> {
  const found = await findServer();
  if ('server' in found) return serverTemplates(found.server);
  process.stderr.write(
    `PGlite stands in for PostgreSQL (${found.reason}): what needs several connections is skipped.\n`,
  );
  return { reason: found.reason, pglite: await pgliteTemplates(directory) };
}

async function serverTemplates(server: string) {
  const prefix = `portico_test_${randomBytes(4).toString('hex')}_`;
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

/** A test that was killed left its database behind: what has this run's prefix goes. */
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
