import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { databaseError, migrationError } from '../errors.ts';
import { applyMigrations } from './apply-migrations.ts';
import { fillWords, hasAllWords } from './fill-words.ts';
import { compareMigrations, newestMigration, withPrimary } from './servers.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** The key of the advisory lock for migrations, unique in the database: "PORTICO" on a telephone keypad. */
const LOCK = 7_678_426;

/** Milliseconds between two attempts to take the lock. */
const PAUSE = 50;

/** Maximum number of times that the lock is released for a process whose wait for it blocks the migration. */
const MAX_YIELDS = 10;

const DEADLOCK = '40P01';

/**
 * Migrates the schema. Of instances that start together, the first one migrates, the others find nothing to do. The lock
 * belongs to the session, so a process that dies releases it. There is no statement timeout, since changing a
 * large table may take any time.
 */
export async function migratePostgres(url: string): Promise<void> {
  try {
    await withPrimary(url, 'portico-migrate', async (client) => {
      // Most starts end here. They need no right to create tables, and a database that is read-only for now does not prevent them.
      if (!(await isUpToDate(client))) await migrateUnderLock(client);
    });
  } catch (error) {
    throw databaseError(migrationError(error));
  }
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  const { missingMigrations } = compareMigrations(await newestMigration(client));
  return missingMigrations === 0 && (await hasAllWords(client));
}

/**
 * `create index concurrently` waits for every statement that runs, so no process may wait for the lock within a statement.
 * Older versions do, and are let through: after a deadlock the lock is released for a moment.
 */
async function migrateUnderLock(client: pg.Client): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await takeLock(client);
    const isDone = await applyMigrations(client, FOLDER).then(
      () => true,
      (error: unknown) => {
        const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK;
        if (!isDeadlock || tries > MAX_YIELDS) throw error;
        return false;
      },
    );
    if (isDone) await fillWords(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    if (isDone) return;
    await sleep(PAUSE);
  }
}

async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK,
    ]);
    if (rows[0]?.taken) return;
    await sleep(PAUSE);
  }
}
