/** Stops the server in the middle of a write, so that a test can do something to it there. */
import Client from 'better-sqlite3';
import pg from 'pg';
import type { TestDatabase, TestEngine } from '../support/engines.ts';
import { type ServerProcess, waitUntil } from '../support/process.ts';

/** Keeps orders from being written, as another process would, until it is undone. They can be read. */
export async function block({ name }: TestEngine, { url }: TestDatabase): Promise<() => Promise<void>> {
  if (name === 'sqlite') {
    const client = new Client(url.slice('file:'.length));
    client.exec('begin immediate');
    return async () => {
      client.close();
    };
  }
  const client = new pg.Client({ connectionString: url });
  // It may be cut off with everybody else.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('lock table orders in exclusive mode');
  return () => client.end();
}

const WAITING = `
  select 1 from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;

/** Resolves when so many requests have come as far as to wait for what `block` holds. */
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
  // SQLite does not say who waits. The server takes up requests as they arrive, so that these have been, once it has
  // answered one that came after them.
  const response = await fetch(`${url}/healthz`);
  await response.text();
}
