import { openPostgresStore } from './postgres.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const FILE = 'file:';

/**
 * @param url `file:<path>` or `postgres://…`, as Portico takes it.
 * @param isSingle on SQLite whether each order is committed by itself, on PostgreSQL whether it is one statement.
 */
export function openStore(url: string, isSingle: boolean): Store {
  return url.startsWith(FILE)
    ? openSqliteStore(url.slice(FILE.length), !isSingle)
    : openPostgresStore(url, isSingle);
}
