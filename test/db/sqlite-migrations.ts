import { fileURLToPath } from 'node:url';
import Client from 'better-sqlite3';
import { readMigrationFiles } from '../../src/db/drizzle/migrator.ts';

const migrations = readMigrationFiles({
  migrationsFolder: fileURLToPath(new URL('../../src/db/sqlite/migrations', import.meta.url)),
});

/** An SQLite database in memory. */
interface PartlyMigrated extends Disposable {
  readonly client: Client.Database;
  /** Applies the remaining migrations. */
  migrate(): void;
}

/** Opens a database in the state before the first migration that contains a text. Foreign keys are not checked. */
export function openBefore(text: string): PartlyMigrated {
  const first = migrations.findIndex(({ sql }) => sql.some((one) => one.includes(text)));
  if (first < 1) throw new Error(`No migration contains ${text}.`);
  const client = new Client(':memory:');
  const apply = (some: typeof migrations) => {
    for (const { sql } of some) for (const statement of sql) client.exec(statement);
  };
  client.pragma('foreign_keys = off');
  apply(migrations.slice(0, first));
  return {
    client,
    migrate: () => apply(migrations.slice(first)),
    [Symbol.dispose]: () => void client.close(),
  };
}
