/** Applies pending migrations, and keeps drizzle's record of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { monotonicTime } from '../../core/clock.ts';
import { MINUTE } from '../../core/limits.ts';
import { readMigrationFiles } from '../drizzle/migrator.ts';
import { codeOf } from '../errors.ts';
import { newestMigration } from './servers.ts';

/**
 * Marks, as its first line, a migration that changes tables while servers use them. Each of its statements is its own transaction and
 * waits only briefly for a lock, since requests queue behind it: a backup reads every table, for as long as it runs. An interrupted
 * migration continues where it stopped.
 */
const STEP_BY_STEP = '-- step by step';

/** Matches statements that manage their own transactions. They can be repeated. */
const OWN_TRANSACTIONS =
  /^(do\s|(create|drop) (unique )?index concurrently (if (not )?exists )?"(?<index>\w+)")/i;

/**
 * Milliseconds that a step waits for its locks, at first and at most; the time doubles after each attempt. PostgreSQL cancels an
 * autovacuum that blocks a step for a second.
 */
const LOCK_TIMEOUT = { first: 50, last: 2000 };

/** Milliseconds in which a step retries to get its locks: an export may read a table for minutes. */
const PATIENCE = 10 * MINUTE;

const LOCK_NOT_AVAILABLE = '55P03';

const RECORD = [
  'create schema if not exists drizzle',
  `create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`,
  `create table if not exists drizzle.__migration_steps (
    migration bigint primary key, done integer not null)`,
];

/** Applies the pending migrations of a folder. @param folder of drizzle's migrations. */
export async function applyMigrations(client: pg.Client, folder: string): Promise<void> {
  for (const statement of RECORD) await client.query(statement);
  const newest = await newestMigration(client);
  for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
    if (migration.folderMillis <= newest) continue;
    if (migration.sql[0]?.startsWith(STEP_BY_STEP)) {
      await applySteps(client, migration);
      continue;
    }
    await inTransaction(client, async () => {
      for (const statement of migration.sql) await client.query(statement);
      await record(client, migration);
    });
  }
}

async function record(client: pg.Client, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ]);
}

async function applySteps(client: pg.Client, migration: MigrationMeta): Promise<void> {
  const { folderMillis, sql } = migration;
  const { rows } = await client.query<{ done: number }>(
    'select done from drizzle.__migration_steps where migration = $1',
    [folderMillis],
  );
  const done = rows[0]?.done ?? 0;
  for (const [index, text] of sql.entries()) {
    if (index < done) continue;
    const note = () => noteDone(client, folderMillis, index + 1);
    await applyStep(client, withoutComments(text), note);
  }
  await inTransaction(client, async () => {
    await client.query('delete from drizzle.__migration_steps where migration = $1', [folderMillis]);
    await record(client, migration);
  });
}

const withoutComments = (statement: string) => statement.replaceAll(/^\s*--.*$/gm, '').trim();

async function noteDone(client: pg.Client, migration: number, done: number): Promise<void> {
  await client.query(
    `insert into drizzle.__migration_steps (migration, done) values ($1, $2)
      on conflict (migration) do update set done = excluded.done`,
    [migration, done],
  );
}

async function applyStep(client: pg.Client, statement: string, note: () => Promise<void>): Promise<void> {
  const own = OWN_TRANSACTIONS.exec(statement);
  if (own) {
    if (own.groups?.['index']) await dropInvalid(client, own.groups['index']);
    await client.query(statement);
    await note();
    return;
  }
  await withLocks((lockTimeout) =>
    inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${lockTimeout}`);
      await client.query(statement);
      await note();
    }),
  );
}

/** Drops an invalid index: what an interrupted `create index concurrently` leaves behind. */
async function dropInvalid(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [`"${index}"`],
  );
  if (rowCount) await client.query(`drop index concurrently "${index}"`);
}

/** Retries a step that did not get its locks in time. Between the attempts, statements that queued behind it run. */
async function withLocks(step: (lockTimeout: number) => Promise<void>): Promise<void> {
  const end = monotonicTime() + PATIENCE;
  for (let timeout = LOCK_TIMEOUT.first; ; timeout = Math.min(2 * timeout, LOCK_TIMEOUT.last)) {
    try {
      await step(timeout);
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || monotonicTime() > end) throw error;
      await sleep(timeout);
    }
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
