/**
 * `npm run bench -- orders`: measures whether the thousandth page of an organisation's orders takes longer than the first, with each
 * filter and both sort directions. Runs on SQLite and PostgreSQL, in separate databases. Requests go over HTTP to a complete server.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/open.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { signIn } from './client.ts';
import { comparePages } from './deep-pages.ts';
import { listen } from './in-process.ts';
import { prepareDatabase, readDatabaseOptions } from './neighbours/databases.ts';
import { BUYER } from './neighbours/rows.ts';
import { integer, readTexts } from './options.ts';
import { createProgress } from './progress.ts';
import { formatColumns } from './table.ts';

const DEFAULTS = {
  orders: '1000000',
  page: '1000',
  rounds: '200',
  data: 'new',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- orders [options]

  --orders <number>  orders of the organisation, with three items each (${DEFAULTS.orders})
  --page <number>    the page that is compared with the first (${DEFAULTS.page})
  --rounds <number>  how many times each page is requested, in turns (${DEFAULTS.rounds})
  --data <which>     new, or kept: reuses the databases of a previous run, or keeps new ones for the next run (${DEFAULTS.data})
  --postgres <url>   a server on which a database can be created (${DEFAULTS.postgres})

Exits with status 1 if a page takes more than 1.2 times as long as the first.
`;

/** The maximum ratio of the durations of the later and the first page. */
const MAX_RATIO = 1.2;
/** Orders per page. */
const SIZE = 20;
/** Few events, since this benchmark does not read the event log. */
const EVENTS = 1000;

/** The measured lists. Each filter matches at least a tenth of all orders, enough for the pages. */
const LISTS = [
  'sort=-created_at',
  'sort=created_at',
  'sort=-total',
  'sort=total',
  'status=pending',
  'status=pending&sort=total',
  'status=pending&status=shipped',
  `user_id=${BUYER}`,
  `user_id=${BUYER}&sort=-total`,
  'product_id=3',
  'currency=USD&min_total=10&max_total=9000',
  'currency=USD&min_total=10&max_total=9000&sort=total',
  'created_after=2026-06-16T00:00:00Z&created_before=2026-12-31T00:00:00Z',
];

/** @throws UsageError for an invalid option. */
export async function orderPages(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const { engines, ...place } = readDatabaseOptions({ ...values, engine: 'both' });
  const page = integer('page', values.page, 2, 1_000_000);
  const rounds = integer('rounds', values.rounds, 1, 100_000);
  const sizes = { orders: integer('orders', values.orders, page * SIZE * 10, 10_000_000), events: EVENTS };
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const rows: string[][] = [];
  for (const engine of engines) {
    progress.show(`${engine}: filling the database`);
    const url = await prepareDatabase(engine, { sizes, ...place }, cleanups);
    const database = await openDatabase({ ...loadConfig({}).database, url });
    cleanups.push(() => database.close());
    const { app, origin } = await listen(database, join(folder, 'keys.json'));
    cleanups.push(() => app.http.close());
    const token = await signIn(origin);
    for (const list of LISTS) {
      progress.show(`${engine}: ${list}`);
      const path = `/v1/orders?limit=${SIZE}&${list}`;
      const { first, later } = await comparePages({ origin, token, path, page, rounds });
      rows.push([`${engine}, ${list}`, first.toFixed(2), later.toFixed(2), (later / first).toFixed(2)]);
      if (later / first > MAX_RATIO) process.exitCode = 1;
    }
  }
  progress.clear();
  const headings = ['', 'page 1, ms', `page ${page}, ms`, 'ratio'];
  process.stdout.write(
    `${sizes.orders} orders; load average ${loadavg()[0]?.toFixed(1)}\n\n${formatColumns(headings, rows)}\n`,
  );
}
