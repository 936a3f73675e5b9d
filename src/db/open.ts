/**
 * Chooses the engine by the URL, and loads only that one. The engines implement the interfaces of `database.ts`, which
 * depends on neither of them.
 */
import { exists } from '../core/private-files.ts';
import type { DatabaseOptions, OpenDatabase } from './database.ts';
import type { DatabaseState } from './database-state.ts';

/** Opens a database that `migrate` has brought up to date. Creates the directory of a file if it is missing. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (isPostgres(options.url)) return (await import('./postgres/engine.ts')).openPostgres(options);
  return (await import('./sqlite/engine.ts')).openSqlite(options);
}

/**
 * Whether a URL names a file that does not exist. Opening it would create an empty database.
 *
 * @throws the system's error if the user may not know, such as in a folder of another user.
 */
export async function isMissing(url: string): Promise<boolean> {
  if (isPostgres(url)) return false;
  const { fileOf } = await import('./sqlite/location.ts');
  return !exists(fileOf(url));
}

/** Migrates the schema. When several instances start together, one migrates and the others wait. */
export async function migrate(url: string): Promise<void> {
  if (isPostgres(url)) return (await import('./postgres/migrate.ts')).migratePostgres(url);
  return (await import('./sqlite/migrate.ts')).migrateSqlite(url);
}

/**
 * Inspects a database for operators: connects, reads the state and disconnects. It creates and changes no file.
 *
 * @param now the current time, in milliseconds since the epoch.
 * @throws an Error whose message says why the database cannot be read.
 */
export async function inspectDatabase(url: string, now: () => number): Promise<DatabaseState> {
  if (isPostgres(url)) return (await import('./postgres/inspect.ts')).inspectPostgres(url, now);
  return (await import('./sqlite/inspect.ts')).inspectSqlite(url);
}

/** @throws an Error that describes the accepted database URLs. */
export function isPostgres(url: string): boolean {
  if (/^postgres(ql)?:\/\//.test(url)) return true;
  if (/^file:./.test(url)) return false;
  throw new Error('DATABASE_URL must be file:<path> or postgres://<user>:<password>@<host>:<port>/<name>.');
}
