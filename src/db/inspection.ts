/** Looks at a database without changing it: for operators, before a server uses it. */
import type { DatabaseState } from './database-state.ts';
import { isPostgres } from './open.ts';

/**
 * Connects, looks and disconnects. No file is created, and none is changed.
 *
 * @param now milliseconds since the epoch.
 * @throws an Error whose message says why it cannot be read.
 */
export async function inspectDatabase(url: string, now: () => number): Promise<DatabaseState> {
  if (isPostgres(url)) return (await import('./postgres/inspect.ts')).inspectPostgres(url, now);
  return (await import('./sqlite/inspect.ts')).inspectSqlite(url);
}
