/**
 * `npm run bench -- feed`: measures whether the thousandth page of a long event log takes longer than the first. Runs on SQLite in a
 * temporary folder, and on PostgreSQL in a temporary database. Requests go over HTTP to a complete server.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../src/auth/passwords.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { loadConfig } from '../src/config.ts';
import type { OpenDatabase } from '../src/db/database.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import { loadRows } from '../src/db/queries/shared/loading.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { signIn } from './client.ts';
import { comparePages, type PageTimes } from './deep-pages.ts';
import { listen } from './in-process.ts';
import { integer, readTexts } from './options.ts';
import { createPostgres } from './postgres.ts';
import { createProgress, type Progress } from './progress.ts';

const DEFAULTS = {
  events: '1000000',
  page: '1000',
  rounds: '300',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- feed [options]

  --events <number>  events in the log (${DEFAULTS.events})
  --page <number>    the page that is compared with the first (${DEFAULTS.page})
  --rounds <number>  how many times each page is requested, in turns (${DEFAULTS.rounds})
  --postgres <url>   a server on which a database can be created (${DEFAULTS.postgres}), or none
`;

/** Events per page. */
const SIZE = 20;
/** Rows per statement. */
const BATCH = 2000;

interface Options {
  readonly events: number;
  readonly page: number;
  readonly rounds: number;
}

/** @throws UsageError for an invalid option. */
export async function feed(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const page = integer('page', values.page, 2, 1_000_000);
  const options: Options = {
    page,
    events: integer('events', values.events, page * SIZE, 100_000_000),
    rounds: integer('rounds', values.rounds, 1, 100_000),
  };
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const urls = [`file:${join(folder, 'feed.db')}`];
  if (values.postgres !== 'none')
    urls.push(await createPostgres(values.postgres, 'portico_bench_feed', cleanups));
  for (const url of urls) {
    await migrate(url);
    const database = await openDatabase({ ...loadConfig({}).database, url });
    cleanups.push(() => database.close());
    const { first, later } = await measure(database, folder, options, progress, cleanups);
    progress.clear();
    process.stdout.write(
      `${database.engine}: ${options.events} events, page 1 takes ${first.toFixed(2)} ms, page ${page} ${later.toFixed(2)} ms: ` +
        `${(later / first).toFixed(2)} times as long. Load average: ${loadavg()[0]?.toFixed(1)}.\n`,
    );
  }
}

async function measure(
  database: OpenDatabase,
  folder: string,
  { events, page, rounds }: Options,
  progress: Progress,
  cleanups: Cleanups,
): Promise<PageTimes> {
  await installDemo(database, hashPassword);
  progress.show(`${database.engine}: writing ${events} events`);
  await fill(database, events);
  const { app, origin } = await listen(database, join(folder, 'keys.json'));
  cleanups.push(() => app.http.close());
  const token = await signIn(origin);
  progress.show(`${database.engine}: reading up to page ${page} and measuring`);
  return comparePages({ origin, token, path: `/feed?limit=${SIZE}`, page, rounds });
}

async function fill(database: OpenDatabase, events: number): Promise<void> {
  const createdAt = new Date();
  for (let from = 0; from < events; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - from) }, (_, index) => ({
      org: 'acme',
      type: 'order.updated',
      actorId: 1,
      subjectType: 'order',
      subjectId: 1 + ((from + index) % 50),
      data: { changed: ['status'] },
      createdAt,
    }));
    await database.transaction((tx) => loadRows(tx, 'events', batch));
  }
}
