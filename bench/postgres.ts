/** Databases of a PostgreSQL server for one run of a benchmark. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Cleanups } from './cleanups.ts';

/** Runs statements on a connection of their own. They are separated by semicolons; the rows are those of the last one. */
export async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query(sql);
    // The driver returns one result for one statement, and a list of results for several.
    const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult;
    return last.rows;
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export const besides = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;

/**
 * Creates a database, which is dropped with the cleanups unless it was renamed by then.
 *
 * @param prefix what its name begins with.
 * @returns its URL.
 */
export async function createPostgres(server: string, prefix: string, cleanups: Cleanups): Promise<string> {
  const name = `${prefix}_${randomBytes(4).toString('hex')}`;
  await runOn(server, `create database ${name}`);
  cleanups.push(() => runOn(server, `drop database if exists ${name} with (force)`));
  return besides(server, name);
}
