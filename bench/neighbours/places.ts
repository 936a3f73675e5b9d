/** The databases of the benchmark, one for each engine, which take a minute to fill and may therefore be kept. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Client from 'better-sqlite3';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { continueIds } from '../../src/db/queries/loading.ts';
import type { Cleanups } from '../cleanups.ts';
import { besides, createPostgres, runOn } from '../postgres.ts';
import { POSTGRES_WORDS, type Sizes, SQLITE_WORDS, statementsFor, type Words } from './rows.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface PlaceOptions {
  readonly sizes: Sizes;
  /** Whether a database of a former run is taken, and the one that is made is left for the next. */
  readonly isKept: boolean;
  /** A server on which a database can be made. */
  readonly postgres: string;
}

/** @returns the URL of a database that has the rows. */
export async function preparePlace(
  engine: Engine,
  options: PlaceOptions,
  cleanups: Cleanups,
): Promise<string> {
  return engine === 'sqlite' ? prepareFile(options, cleanups) : prepareServer(options, cleanups);
}

async function prepareFile({ sizes, isKept }: PlaceOptions, cleanups: Cleanups): Promise<string> {
  const directory = join(tmpdir(), 'portico-neighbours');
  const kept = join(directory, `${nameOf(SQLITE_WORDS, sizes)}.db`);
  if (isKept && existsSync(kept)) return `file:${kept}`;
  const folder = await mkdtemp(join(tmpdir(), 'portico-neighbours-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'neighbours.db');
  await fill(`file:${file}`, SQLITE_WORDS, sizes, async (statements) => {
    const client = new Client(file);
    try {
      // The file is of no use unless all of this succeeds.
      client.pragma('synchronous = off');
      for (const statement of statements) client.exec(statement);
      client.pragma('wal_checkpoint(truncate)');
    } finally {
      client.close();
    }
  });
  if (!isKept) return `file:${file}`;
  await mkdir(directory, { recursive: true });
  await rename(file, kept);
  return `file:${kept}`;
}

async function prepareServer({ sizes, isKept, postgres }: PlaceOptions, cleanups: Cleanups): Promise<string> {
  const prefix = 'portico_bench_neighbours';
  const kept = `${prefix}_${nameOf(POSTGRES_WORDS, sizes)}`;
  const found = isKept && (await runOn(postgres, `select 1 from pg_database where datname = '${kept}'`));
  if (found && found.length > 0) return besides(postgres, kept);
  const url = await createPostgres(postgres, prefix, cleanups);
  await fill(url, POSTGRES_WORDS, sizes, async (statements) => {
    for (const statement of statements) await runOn(url, `set synchronous_commit = off; ${statement}`);
    // As it would have happened by itself, but not while something is measured.
    await runOn(url, 'vacuum analyze');
    await runOn(url, 'checkpoint');
  });
  if (!isKept) return url;
  await runOn(postgres, `alter database ${new URL(url).pathname.slice(1)} rename to ${kept}`);
  return besides(postgres, kept);
}

/** Another one where the rows would be others. */
function nameOf(words: Words, sizes: Sizes): string {
  const statements = statementsFor(words, sizes, '').join();
  return createHash('sha256').update(statements).digest('hex').slice(0, 12);
}

async function fill(
  url: string,
  words: Words,
  sizes: Sizes,
  run: (statements: readonly string[]) => Promise<void>,
): Promise<void> {
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  try {
    await installDemo(database, hashPassword);
    await run(statementsFor(words, sizes, await hashPassword(DEMO_PASSWORD)));
    await database.transaction(continueIds);
  } finally {
    await database.close();
  }
}
