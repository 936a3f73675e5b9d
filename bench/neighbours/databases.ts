/** The databases of the benchmark, one per engine. Filling one takes a minute, so they can be kept for the next run. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Client from 'better-sqlite3';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { continueIds } from '../../src/db/queries/shared/loading.ts';
import { type Cleanups, temporaryFolder } from '../cleanups.ts';
import { UsageError } from '../options.ts';
import { createPostgres, runOn, urlOf } from '../postgres.ts';
import { type Dialect, POSTGRES_DIALECT, type Sizes, SQLITE_DIALECT, statementsFor } from './rows.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface DatabaseOptions {
  readonly sizes: Sizes;
  /** Whether to reuse the database of a previous run, and keep a new one for the next run. */
  readonly isReused: boolean;
  /** The URL of a server on which a database can be created. */
  readonly postgres: string;
}

/** Reads the engines to measure, and the options of {@link prepareDatabase} except for the sizes. */
export function readDatabaseOptions({
  engine,
  data,
  postgres,
}: Readonly<Record<'engine' | 'data' | 'postgres', string>>) {
  const engines = ENGINES.filter((each) => engine === 'both' || engine === each);
  if (engines.length === 0)
    throw new UsageError(`--engine must be ${ENGINES.join(', ')} or both, not ${engine}.`);
  if (!['new', 'kept'].includes(data)) throw new UsageError(`--data must be new or kept, not ${data}.`);
  return { engines, isReused: data === 'kept', postgres };
}

/** @returns the URL of a database with the rows. */
export async function prepareDatabase(
  engine: Engine,
  options: DatabaseOptions,
  cleanups: Cleanups,
): Promise<string> {
  return engine === 'sqlite' ? prepareFile(options, cleanups) : prepareServer(options, cleanups);
}

async function prepareFile({ sizes, isReused }: DatabaseOptions, cleanups: Cleanups): Promise<string> {
  const directory = join(tmpdir(), 'portico-neighbours');
  const kept = join(directory, `${nameOf(SQLITE_DIALECT, sizes)}.db`);
  if (isReused && existsSync(kept)) return `file:${kept}`;
  const folder = await temporaryFolder(cleanups);
  const file = join(folder, 'neighbours.db');
  await fill(`file:${file}`, SQLITE_DIALECT, sizes, async (statements) => {
    const client = new Client(file);
    try {
      // Durability is not needed: if a statement fails, the file is not used.
      client.pragma('synchronous = off');
      for (const statement of statements) client.exec(statement);
      client.pragma('wal_checkpoint(truncate)');
    } finally {
      client.close();
    }
  });
  if (!isReused) return `file:${file}`;
  await mkdir(directory, { recursive: true });
  await rename(file, kept);
  return `file:${kept}`;
}

async function prepareServer(
  { sizes, isReused, postgres }: DatabaseOptions,
  cleanups: Cleanups,
): Promise<string> {
  const prefix = 'portico_bench_neighbours';
  const kept = `${prefix}_${nameOf(POSTGRES_DIALECT, sizes)}`;
  const found = isReused && (await runOn(postgres, `select 1 from pg_database where datname = '${kept}'`));
  if (found && found.length > 0) return urlOf(postgres, kept);
  const url = await createPostgres(postgres, prefix, cleanups);
  await fill(url, POSTGRES_DIALECT, sizes, async (statements) => {
    for (const statement of statements) await runOn(url, `set synchronous_commit = off; ${statement}`);
    // Autovacuum and the checkpointer would otherwise do this during the measurement.
    await runOn(url, 'vacuum analyze');
    await runOn(url, 'checkpoint');
  });
  if (!isReused) return url;
  await runOn(postgres, `alter database ${new URL(url).pathname.slice(1)} rename to ${kept}`);
  return urlOf(postgres, kept);
}

/** Returns a name that depends on the rows. */
function nameOf(dialect: Dialect, sizes: Sizes): string {
  const statements = statementsFor(dialect, sizes, '').join();
  return createHash('sha256').update(statements).digest('hex').slice(0, 12);
}

async function fill(
  url: string,
  dialect: Dialect,
  sizes: Sizes,
  run: (statements: readonly string[]) => Promise<void>,
): Promise<void> {
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  try {
    await installDemo(database, hashPassword);
    await run(statementsFor(dialect, sizes, await hashPassword(DEMO_PASSWORD)));
    await database.transaction(continueIds);
  } finally {
    await database.close();
  }
}
