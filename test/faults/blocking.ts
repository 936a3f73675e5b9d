/** Pauses the server in the middle of a write, so that a test can inject a fault there. */
import Client from 'better-sqlite3';
import pg from 'pg';
import type { TestDatabase } from '../support/databases.ts';
import type { TestEngine } from '../support/engines.ts';
import { type ServerProcess, waitUntil } from '../support/process.ts';

/** Blocks writes of orders, as another process would, until the returned function is called. Reads still work. */
export async function block({ name }: TestEngine, { url }: TestDatabase): Promise<() => Promise<void>> {
  if (name === 'sqlite') {
    const client = new Client(url.slice('file:'.length));
    client.exec('begin immediate');
    return async () => {
      client.close();
    };
  }
  const client = new pg.Client({ connectionString: url });
  // The connection may have been cut together with all others.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('lock table orders in exclusive mode');
  return () => client.end();
}

const WAITING = `
  select 1 from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;

/** Resolves when this many requests wait for the lock that `block` holds. */
export async function blocked(
  { name }: TestEngine,
  { query }: TestDatabase,
  { url }: ServerProcess,
  requests = 1,
): Promise<void> {
  if (name === 'postgres') {
    await waitUntil(
      async () => (await query(WAITING)).length === requests,
      `${requests} requests to wait for the lock`,
    );
    return;
  }
  // SQLite does not report waiting requests. The server accepts requests in order, so once it responds to a
  // later request, it has accepted these.
  const response = await fetch(`${url}/healthz`);
  await response.text();
}
