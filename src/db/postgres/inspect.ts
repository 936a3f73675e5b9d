import { LIMITS } from '../../core/limits.ts';
import type { DatabaseState } from '../database-state.ts';
import { compareMigrations, newestMigration, urlsOf, withClient } from './servers.ts';

interface Row {
  readonly standby: boolean;
  readonly identity: string;
  readonly read_only: boolean;
  /** Null if the table does not exist. */
  readonly may_write: boolean | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const LOOK = `select pg_is_in_recovery() as standby,
  format('%s %s', (select oid from pg_database where datname = current_database()),
    extract(epoch from pg_postmaster_start_time())) as identity,
  current_setting('transaction_read_only')::boolean as read_only,
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

function inspectServer(connectionString: string, now: () => number): Promise<DatabaseState> {
  const config = {
    connectionString,
    application_name: 'portico-doctor',
    query_timeout: LIMITS.statementTimeout,
  };
  return withClient(config, async (client) => {
    const before = now();
    const { rows } = await client.query<Row>(LOOK);
    const after = now();
    const [row] = rows;
    if (!row) throw new Error('PostgreSQL returned no row.');
    return {
      readOnly: whyReadOnly(row),
      standby: row.standby,
      identity: row.identity,
      ...compareMigrations(await newestMigration(client)),
      clockAhead: row.now - (before + after) / 2,
      folder: undefined,
    };
  });
}

function whyReadOnly({ standby, read_only: readOnly, may_write: mayWrite }: Row): string | undefined {
  if (standby) return 'it is a standby';
  if (readOnly) return 'its transactions are read-only';
  return mayWrite === false ? 'the user may not insert into the table events' : undefined;
}
