import { openPostgresStore } from './postgres.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const FILE = 'file:';

/** @param url `file:<path>` or `postgres://…`, as Portico takes it. */
export function openStore(url: string, grouped: boolean): Store {
  return url.startsWith(FILE) ? openSqliteStore(url.slice(FILE.length), grouped) : openPostgresStore(url);
}
