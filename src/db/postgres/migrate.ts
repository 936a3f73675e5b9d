import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LIMITS } from '../../core/limits.ts';
import { drizzle, migrate } from '../drizzle/postgres.ts';
import { databaseError, migrationError } from '../errors.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** The key of our advisory lock, unique in the database: "PORTICO" on a telephone keypad. */
const LOCK = 7_678_426;

/**
 * Instances that start together take turns: the first migrates, the others find nothing left to do. The lock is
 * the session's, so a process that dies lets go of it. There is no statement timeout here, since changing a
 * large table takes as long as it takes.
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'portico-migrate',
    connectionTimeoutMillis: LIMITS.connectTimeout,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await migrate(drizzle(client), { migrationsFolder: FOLDER });
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    throw databaseError(migrationError(error));
  } finally {
    await client.end();
  }
}
