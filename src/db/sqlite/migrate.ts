import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Client from 'better-sqlite3';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { monotonicTime } from '../../core/clock.ts';
import { readMigrationFiles } from '../drizzle/sqlite.ts';
import { databaseError, isBusy } from '../errors.ts';
import { fillWords, hasAllWords } from './fill-words.ts';
import { fileOf, makeDatabaseFile } from './location.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** Milliseconds that an instance waits for another one to migrate: a table of millions of rows takes a while. */
const PATIENCE = 60_000;

/** Milliseconds between two looks at whether the other one is done. */
const PAUSE = 20;

/**
 * Reads drizzle's migrations and keeps drizzle's own record of them, but applies them itself: drizzle's migrator
 * looks what is missing before it locks the file, so that two instances could both apply it.
 */
export async function migrateSqlite(url: string): Promise<void> {
  const file = fileOf(url);
  makeDatabaseFile(file);
  const client = new Client(file, { timeout: PAUSE });
  try {
    await whenFree(() => client.pragma('journal_mode = wal'));
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    // Most starts end here, without the lock: others go on writing.
    if (missingFrom(client, migrations).length === 0 && hasAllWords(client)) return;
    // A table is changed by building its successor, and that must not look like deleting its rows. SQLite takes
    // this setting outside of a transaction only; references are checked below instead.
    client.pragma('foreign_keys = off');
    await whenFree(() => client.exec('begin immediate'));
    applyMissing(client, migrations);
    fillWords(client);
    client.exec('commit');
  } catch (error) {
    throw databaseError(error);
  } finally {
    client.close();
  }
}

/** The migrations that the database has not seen. */
function missingFrom(
  client: Client.Database,
  migrations: readonly MigrationMeta[],
): readonly MigrationMeta[] {
  const isNew =
    client.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get() === undefined;
  if (isNew) return migrations;
  const newest = client.prepare('select max(created_at) from __drizzle_migrations').pluck().get();
  return migrations.filter((migration) => migration.folderMillis > Number(newest ?? 0));
}

/** Checks again, since another process may have migrated while this one waited for the lock. */
function applyMissing(client: Client.Database, migrations: readonly MigrationMeta[]): void {
  const missing = missingFrom(client, migrations);
  if (missing.length === 0) return;
  client.exec(
    'create table if not exists __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)',
  );
  const record = client.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)');
  for (const migration of missing) {
    for (const statement of migration.sql) client.exec(statement);
    record.run(migration.hash, migration.folderMillis);
  }
  // It reads every row that refers to another, with writers waiting: only what migrations did is worth that.
  const dangling = client.pragma('foreign_key_check');
  if (Array.isArray(dangling) && dangling.length > 0) {
    throw new Error(`After the migration, references lead nowhere: ${JSON.stringify(dangling.slice(0, 5))}`);
  }
}

async function whenFree(action: () => unknown): Promise<void> {
  const patience = monotonicTime() + PATIENCE;
  for (;;) {
    try {
      action();
      return;
    } catch (error) {
      if (!isBusy(error) || monotonicTime() > patience) throw error;
      await sleep(PAUSE);
    }
  }
}
