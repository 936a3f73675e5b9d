import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LIMITS } from '../../core/limits.ts';
import { drizzle, migrate } from '../drizzle/postgres.ts';
import { databaseError, migrationError } from '../errors.ts';
import { fillWords } from './fill-words.ts';
import { urlsOf } from './servers.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** The key of our advisory lock, unique in the database: "PORTICO" on a telephone keypad. */
const LOCK = 7_678_426;

/**
 * Instances that start together take turns: the first migrates, the others find nothing left to do. The lock is
 * the session's, so a process that dies lets go of it. There is no statement timeout here, since changing a
 * large table takes as long as it takes.
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = await connectToPrimary(url).catch((error: unknown) => {
    throw databaseError(error);
  });
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await migrate(drizzle(client), { migrationsFolder: FOLDER });
    await fillWords(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    throw databaseError(migrationError(error));
  } finally {
    await client.end();
  }
}

/** The first of the servers that takes writes. @throws the error of the last one where none does. */
async function connectToPrimary(url: string): Promise<pg.Client> {
  let failure: unknown;
  for (const connectionString of urlsOf(url)) {
    const client = new pg.Client({
      connectionString,
      application_name: 'portico-migrate',
      connectionTimeoutMillis: LIMITS.connectTimeout,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica');
      if (!rows[0]?.replica) return client;
      failure = new Error('This PostgreSQL takes no writes.');
    } catch (error) {
      failure = error;
    }
    await client.end();
  }
  throw failure;
}
