/** Inspects a database without changing it: for operators, before a server uses it. */
import type { DatabaseState } from './database-state.ts';
import { isPostgres } from './open.ts';

/**
 * Connects, reads the state and disconnects. It creates and changes no file.
 *
 * @param now the current time, in milliseconds since the epoch.
 * @throws an Error whose message says why the database cannot be read.
 */
export async function inspectDatabase(url: string, now: () => number): Promise<DatabaseState> {
  if (isPostgres(url)) return (await import('./postgres/inspect.ts')).inspectPostgres(url, now);
  return (await import('./sqlite/inspect.ts')).inspectSqlite(url);
}
