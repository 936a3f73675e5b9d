/** The servers of a URL, and what commands do with one of them. */
import pg from 'pg';
import { LIMITS } from '../../core/limits.ts';
import { comparisonWith } from '../database-state.ts';

/** A URL of one server, or of several servers in libpq's form, of which one is the primary (PostgreSQL, section 34.1.1.3). */
const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^/?]*@)?)(?<hosts>[^/?]*)(?<rest>.*)$/s;

/** Splits `postgres://user@host1:5432,host2:5432/name` into one URL per host, in their order. */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const { scheme, hosts = '', rest } = PARTS.exec(url)?.groups ?? {};
  const [first, ...others] = hosts.split(',').map((host) => `${scheme}${host}${rest}`);
  return scheme === undefined || first === undefined ? [url] : [first, ...others];
}

type Work<T> = (client: pg.Client) => Promise<T>;

/** Connects to a server, runs the work of a command, and disconnects. */
export async function withClient<T>(config: pg.ClientConfig, work: Work<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: LIMITS.connectTimeout });
  // A lost connection rejects the query that runs on it, so the event needs no handler.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs the work of a command on the first server that accepts writes.
 *
 * @param name the name of the application, which the server shows.
 * @throws the error of the work, or of the last server if none accepts writes.
 */
export async function withPrimary<T>(url: string, name: string, work: Work<T>): Promise<T> {
  let failure: unknown;
  for (const connectionString of urlsOf(url)) {
    let isPrimary = false;
    try {
      return await withClient({ connectionString, application_name: name }, async (client) => {
        const { rows } = await client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica');
        if (rows[0]?.replica) throw new Error('This PostgreSQL server accepts no writes.');
        isPrimary = true;
        return work(client);
      });
    } catch (error) {
      if (isPrimary) throw error;
      failure = error;
    }
  }
  throw failure;
}

export const compareMigrations = comparisonWith(new URL('./migrations/', import.meta.url));

/** When the newest applied migration was created, in milliseconds since the epoch; 0 for none. */
export async function newestMigration(client: pg.ClientBase): Promise<number> {
  const found = await client.query("select 1 where to_regclass('drizzle.__drizzle_migrations') is not null");
  if (found.rowCount === 0) return 0;
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]?.newest ?? 0);
}
