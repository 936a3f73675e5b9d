import pg from 'pg';
import { LIMITS } from '../../core/limits.ts';
import { compareMigrations, type DatabaseState } from '../database-state.ts';
import { migrationTimes } from '../journal.ts';
import { urlsOf } from './servers.ts';

const MIGRATION_TIMES = migrationTimes(new URL('./migrations/', import.meta.url));

interface Row {
  readonly standby: boolean;
  readonly read_only: boolean;
  readonly migrated: boolean;
  /** Null if the table does not exist. */
  readonly may_write: boolean | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const LOOK = `select pg_is_in_recovery() as standby,
  current_setting('transaction_read_only')::boolean as read_only,
  to_regclass('drizzle.__drizzle_migrations') is not null as migrated,
  has_table_privilege(to_regclass('events'), 'insert') as may_write,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;

/** Inspects the first server that accepts writes, or else the last one that responds. @throws the last error if none can be reached. */
export async function inspectPostgres(url: string, now: () => number): Promise<DatabaseState> {
  let state: DatabaseState | undefined;
  let failure: unknown;
  for (const connectionString of urlsOf(url)) {
    try {
      state = await inspectServer(connectionString, now);
      if (state.readOnly === undefined) return state;
    } catch (error) {
      failure = error;
    }
  }
  if (!state) throw failure;
  return state;
}

async function inspectServer(connectionString: string, now: () => number): Promise<DatabaseState> {
  const client = new pg.Client({
    connectionString,
    application_name: 'portico-doctor',
    connectionTimeoutMillis: LIMITS.connectTimeout,
    query_timeout: LIMITS.statementTimeout,
  });
  // A lost connection rejects the query that runs on it, so the event needs no handler.
  client.on('error', () => {});
  try {
    await client.connect();
    const before = now();
    const { rows } = await client.query<Row>(LOOK);
    const after = now();
    const [row] = rows;
    if (!row) throw new Error('PostgreSQL returned no row.');
    return {
      readOnly: whyReadOnly(row),
      ...compareMigrations(row.migrated ? await newestMigration(client) : 0, MIGRATION_TIMES),
      clockAhead: row.now - (before + after) / 2,
      folder: undefined,
    };
  } finally {
    await client.end();
  }
}

function whyReadOnly({ standby, read_only: readOnly, may_write: mayWrite }: Row): string | undefined {
  if (standby) return 'it is a standby';
  if (readOnly) return 'its transactions are read-only';
  return mayWrite === false ? 'the user may not insert into the table events' : undefined;
}

async function newestMigration(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]?.newest ?? 0);
}
