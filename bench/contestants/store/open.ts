import { openPostgresStore } from './postgres.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const FILE = 'file:';

/**
 * @param url `file:<path>` or `postgres://…`, as in Portico's settings.
 * @param isSingle on SQLite, commits each order separately; on PostgreSQL, writes each order with one statement.
 */
export function openStore(url: string, isSingle: boolean): Store {
  return url.startsWith(FILE)
    ? openSqliteStore(url.slice(FILE.length), !isSingle)
    : openPostgresStore(url, isSingle);
}
