/** Temporary databases on a PostgreSQL server, for one run of a benchmark. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Cleanups } from './cleanups.ts';

/** Runs statements, separated by semicolons, on a new connection. @returns the rows of the last statement. */
export async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query(sql);
    // The driver returns a single result for one statement and an array for several.
    const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult;
    return last.rows;
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;

/**
 * Creates a database. The cleanups drop it, unless it was renamed.
 *
 * @param prefix the prefix of its name.
 * @returns its URL.
 */
export async function createPostgres(server: string, prefix: string, cleanups: Cleanups): Promise<string> {
  const name = `${prefix}_${randomBytes(4).toString('hex')}`;
  await runOn(server, `create database ${name}`);
  cleanups.push(() => runOn(server, `drop database if exists ${name} with (force)`));
  return urlOf(server, name);
}
