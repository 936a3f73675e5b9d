/**
 * Which engine answers: chosen here by the URL, and loaded only then. The engines know `database.ts`, which says what
 * they are to be, and it knows neither of them.
 */
import type { Database, DatabaseOptions } from './database.ts';

/** Opens a database that `migrate` has brought up to date. The directory of a file is made when missing. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (isPostgres(options.url)) {
    const { openPostgres } = await import('./postgres/engine.ts');
    return openPostgres(options);
  }
  const { openSqlite } = await import('./sqlite/engine.ts');
  return openSqlite(options);
}

/** Migrates the schema. Of several instances one works and the others wait. */
export async function migrate(url: string): Promise<void> {
  if (isPostgres(url)) {
    const { migratePostgres } = await import('./postgres/migrate.ts');
    return migratePostgres(url);
  }
  const { migrateSqlite } = await import('./sqlite/migrate.ts');
  return migrateSqlite(url);
}

/** @throws an Error that names what a database URL may look like. */
export function isPostgres(url: string): boolean {
  if (/^postgres(ql)?:\/\//.test(url)) return true;
  if (/^file:./.test(url)) return false;
  throw new Error('DATABASE_URL must be file:<path> or postgres://<user>:<password>@<host>:<port>/<name>.');
}
