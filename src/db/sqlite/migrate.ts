import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Client from 'better-sqlite3';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { monotonicTime } from '../../core/clock.ts';
import { SEARCH_VERSIONS } from '../../core/search.ts';
import { readMigrationFiles } from '../drizzle/migrator.ts';
import { databaseError, isBusy } from '../errors.ts';
import { tokensIn } from '../queries/shared/words.ts';
import { COMPLETE_ROW, completeToken, SEARCHED, type Searched } from '../words.ts';
import { storedTokens } from './dialect.ts';
import { fileOf, makeDatabaseFile, newestMigration, prepareDatabaseFile } from './location.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** Milliseconds that an instance waits for another one to migrate, which may change tables of millions of rows. */
const PATIENCE = 60_000;

/** Milliseconds between two attempts to lock the file. */
const PAUSE = 20;

/**
 * Migrates a database file. It reads drizzle's migrations and keeps drizzle's record of them, but does not use drizzle's migrator,
 * which determines pending migrations before it locks the file, so that two instances could both apply them.
 */
export async function migrateSqlite(url: string): Promise<void> {
  const file = fileOf(url);
  makeDatabaseFile(file);
  const client = new Client(file, { timeout: PAUSE });
  try {
    await whenFree(() => prepareDatabaseFile(client, file));
    const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
    // Most starts end here, without the lock that blocks other writers.
    if (missingFrom(client, migrations).length === 0 && hasAllWords(client)) return;
    // A table is changed by building its replacement and dropping it, which must not count as deleting its rows. SQLite accepts
    // this setting only outside of a transaction. References are checked afterwards instead.
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

/** The pending migrations. */
function missingFrom(
  client: Client.Database,
  migrations: readonly MigrationMeta[],
): readonly MigrationMeta[] {
  const newest = newestMigration(client) ?? 0;
  return migrations.filter((migration) => migration.folderMillis > newest);
}

/** Applies the pending migrations. It determines them again, since another process may have migrated while this one waited for the lock. */
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
  // This check reads every row with a reference while writers wait, so it runs only after migrations.
  const dangling = client.pragma('foreign_key_check');
  if (Array.isArray(dangling) && dangling.length > 0) {
    throw new Error(`After the migration, references are dangling: ${JSON.stringify(dangling.slice(0, 5))}`);
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

/** Maximum number of rows in memory. */
const CHUNK = 500;

const ROWS = {
  documents:
    'select id, org, title, body from documents where id > ? and deleted_at is null order by id limit ?',
  products: 'select id, org, name from products where id > ? order by id limit ?',
};

/** Whether the full-text indexes have the words of all rows, in the form of this version. */
const hasAllWords = (client: Client.Database): boolean =>
  SEARCHED.every((searched) => hasWordsOf(client, searched));

const hasWordsOf = (client: Client.Database, searched: Searched): boolean =>
  client
    .prepare(`select 1 from search_${searched} where search_${searched} match ?`)
    .get(completeToken(SEARCH_VERSIONS.sqlite)) !== undefined;

/** Fills the full-text indexes that are not complete, within the transaction of the migration. */
function fillWords(client: Client.Database): void {
  for (const searched of SEARCHED) {
    if (!hasWordsOf(client, searched)) fillWordsOf(client, searched);
  }
}

function fillWordsOf(client: Client.Database, searched: Searched): void {
  client.exec(`insert into search_${searched} (search_${searched}) values ('delete-all')`);
  const insert = client.prepare(`insert into search_${searched} (rowid, org, tokens) values (?, ?, ?)`);
  const select = client.prepare(ROWS[searched]);
  for (let after = 0; ; ) {
    // The statement selects the columns that `tokensIn` reads for this table.
    const rows = select.all(after, CHUNK) as Parameters<typeof tokensIn<typeof searched>>[1][];
    for (const row of rows) insert.run(row.id, row.org, storedTokens(tokensIn(searched, row)));
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  insert.run(COMPLETE_ROW, '', completeToken(SEARCH_VERSIONS.sqlite));
}
