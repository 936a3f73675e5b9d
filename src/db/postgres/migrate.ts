import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LIMITS } from '../../core/limits.ts';
import { databaseError, migrationError } from '../errors.ts';
import { applyMigrations } from './apply-migrations.ts';
import { fillWords } from './fill-words.ts';
import { urlsOf } from './servers.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** The key of our advisory lock, unique in the database: "PORTICO" on a telephone keypad. */
const LOCK = 7_678_426;

/** Milliseconds between two tries to get the turn. */
const PAUSE = 50;

/** Times that the turn is given up for a process that waits for it in a way that the migration waits for. */
const GIVING_WAY = 10;

const DEADLOCK = '40P01';

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
    await migrateInTurn(client);
  } catch (error) {
    throw databaseError(migrationError(error));
  } finally {
    await client.end();
  }
}

/**
 * An index that is built beside writers waits for every statement that runs, so nothing may wait for the turn within one. Versions
 * that do so are let through: after a deadlock the turn is given up for a moment.
 */
async function migrateInTurn(client: pg.Client): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await takeTurn(client);
    const isDone = await applyMigrations(client, FOLDER).then(
      () => true,
      (error: unknown) => {
        const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK;
        if (!isDeadlock || tries > GIVING_WAY) throw error;
        return false;
      },
    );
    if (isDone) await fillWords(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    if (isDone) return;
    await sleep(PAUSE);
  }
}

async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK,
    ]);
    if (rows[0]?.taken) return;
    await sleep(PAUSE);
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
