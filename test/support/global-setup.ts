/**
 * Once per run: finds out which PostgreSQL and Redis the tests can have, and makes a migrated template of each engine's
 * database. A test file copies the template, which takes a fraction of the time of migrating anew.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/open.ts';
import { fillCompileCache } from './compile-cache.ts';
import { servePglite } from './pglite.ts';

/** Where a PostgreSQL of the usual setups answers; one that trusts the machine itself does not look at the password. */
const LOCAL_SERVER = 'postgres://postgres:postgres@localhost:5432/postgres';

const LOCAL_REDIS = 'redis://localhost:6379';

/** Milliseconds until a server that does not answer counts as absent. */
const LOOK = 2000;

export interface TestDatabases {
  /** A directory that is removed after the run. */
  readonly directory: string;
  /** A migrated SQLite file. */
  readonly sqliteTemplate: string;
  readonly postgres:
    | { readonly server: string; readonly prefix: string; readonly template: string }
    /** A migrated data directory for PGlite, as an archive. */
    | { readonly pgliteTemplate: string; readonly reason: string };
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
  const directory = await mkdtemp(join(tmpdir(), 'portico-test-'));
  // Workers, and the servers that tests start, share what Node has compiled: a server starts in four fifths of the time.
  const compiled = join(directory, 'compiled');
  process.env['NODE_COMPILE_CACHE'] = compiled;
  const filled = fillCompileCache(compiled);
  const sqliteTemplate = join(directory, 'template.db');
  await migrate(`file:${sqliteTemplate}`);
  const found = await findServer();
  const postgres =
    'server' in found
      ? await serverTemplate(found.server)
      : { reason: found.reason, pgliteTemplate: await pgliteTemplate(directory) };
  if ('reason' in postgres) {
    process.stderr.write(
      `PGlite stands in for PostgreSQL (${postgres.reason}): what needs several connections is skipped.\n`,
    );
  }
  project.provide('redis', await findRedis());
  await filled;
  project.provide('databases', { directory, sqliteTemplate, postgres });
  return async () => {
    if ('server' in postgres) await dropAll(postgres.server, postgres.prefix);
    // A process that ends may still be writing down what it compiled.
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** @throws an Error where a server was asked for, by its URL or by CI, and does not answer. */
async function findServer(): Promise<{ server: string } | { reason: string }> {
  const wanted = process.env['TEST_DATABASE_URL'];
  if (wanted === 'none') return { reason: 'TEST_DATABASE_URL is none' };
  const server = wanted || LOCAL_SERVER;
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: LOOK });
  try {
    await client.connect();
    await client.end();
    return { server };
  } catch (error) {
    const reason = `${new URL(server).host} gives no connection: ${error instanceof Error ? error.message : error}`;
    if (wanted) throw new Error(`TEST_DATABASE_URL is set, but ${reason}`, { cause: error });
    if (process.env['CI'] === 'true') {
      throw new Error(`CI needs PostgreSQL, or TEST_DATABASE_URL=none to do without: ${reason}`, {
        cause: error,
      });
    }
    return { reason };
  }
}

/** @throws an Error where Redis was asked for, by its URL or by CI, and does not answer. */
async function findRedis(): Promise<TestRedis> {
  const wanted = process.env['TEST_REDIS_URL'];
  if (wanted === 'none') return { reason: 'TEST_REDIS_URL is none' };
  const url = wanted || LOCAL_REDIS;
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: LOOK, retryStrategy: () => null });
  // The command below rejects with it; without a listener it would be written out as well.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return { url };
  } catch (error) {
    const reason = `${new URL(url).host} gives no connection: ${error instanceof Error ? error.message : error}`;
    if (wanted) throw new Error(`TEST_REDIS_URL is set, but ${reason}`, { cause: error });
    if (process.env['CI'] === 'true') {
      throw new Error(`CI needs Redis, or TEST_REDIS_URL=none to do without: ${reason}`, { cause: error });
    }
    return { reason };
  } finally {
    redis.disconnect();
  }
}

async function serverTemplate(server: string) {
  const prefix = `portico_test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  await withServer(server, (client) => client.query(`create database ${template}`));
  const url = new URL(server);
  url.pathname = `/${template}`;
  await migrate(url.href);
  return { server, prefix, template };
}

async function pgliteTemplate(directory: string): Promise<string> {
  const pglite = await PGlite.create();
  const server = await servePglite(pglite);
  await migrate(server.url);
  await server.stop();
  const archive = join(directory, 'pglite.tar');
  const data = await pglite.dumpDataDir('none');
  await writeFile(archive, Buffer.from(await data.arrayBuffer()));
  await pglite.close();
  return archive;
}

/** A test that was killed left its database behind: what has this run's prefix goes. */
async function dropAll(server: string, prefix: string): Promise<void> {
  await withServer(server, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
}

async function withServer<T>(server: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
