/**
 * `npm run bench -- pages`: measures whether the thousandth page of a long list takes longer than the first: of the feed, and of an
 * organisation's orders with each filter and both sort directions. Runs on SQLite and PostgreSQL, in separate databases. Requests go over
 * HTTP to a complete server.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { memberOf } from '../src/core/json.ts';
import { openDatabase } from '../src/db/open.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { sendRequest, signIn } from './client.ts';
import { listen } from './in-process.ts';
import { prepareDatabase, readDatabaseOptions } from './neighbours/databases.ts';
import { BUYER } from './neighbours/rows.ts';
import { integer, readTexts } from './options.ts';
import { createProgress } from './progress.ts';
import { formatColumns, spreadOf } from './table.ts';

const DEFAULTS = {
  orders: '1000000',
  events: '1000000',
  page: '1000',
  rounds: '200',
  data: 'new',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- pages [options]

  --orders <number>  orders of the organisation, with three items each (${DEFAULTS.orders})
  --events <number>  events in its log (${DEFAULTS.events})
  --page <number>    the page that is compared with the first (${DEFAULTS.page})
  --rounds <number>  how many times each page is requested, in turns (${DEFAULTS.rounds})
  --data <which>     new, or kept: reuses the databases of a previous run, or keeps new ones for the next run (${DEFAULTS.data})
  --postgres <url>   a server on which a database can be created (${DEFAULTS.postgres})

Exits with status 1 if a page takes more than 1.2 times as long as the first.
`;

/** The maximum ratio of the durations of the later and the first page. */
const MAX_RATIO = 1.2;
/** Rows per page. */
const SIZE = 20;
/** Requests for each page before its measurement. */
const WARM_UP = 50;

/** The measured lists of orders. Each filter matches at least a tenth of all orders, enough for the pages. */
const ORDERS = [
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

/** The paths of all measured lists. */
const LISTS = ['/feed', ...ORDERS.map((filter) => `/v1/orders?${filter}`)];

/** @throws UsageError for an invalid option. */
export async function pages(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const { engines, ...place } = readDatabaseOptions({ ...values, engine: 'both' });
  const page = integer('page', values.page, 2, 1_000_000);
  const rounds = integer('rounds', values.rounds, 1, 100_000);
  const sizes = {
    orders: integer('orders', values.orders, page * SIZE * 10, 10_000_000),
    events: integer('events', values.events, page * SIZE, 100_000_000),
  };
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
      const path = `${list}${list.includes('?') ? '&' : '?'}limit=${SIZE}`;
      const { first, later } = await comparePages({ origin, token, path, page, rounds });
      rows.push([`${engine}, ${list}`, first.toFixed(2), later.toFixed(2), (later / first).toFixed(2)]);
      if (later / first > MAX_RATIO) process.exitCode = 1;
    }
  }
  progress.clear();
  const headings = ['', 'page 1, ms', `page ${page}, ms`, 'ratio'];
  process.stdout.write(
    `${sizes.orders} orders, ${sizes.events} events; load average ${loadavg()[0]?.toFixed(1)}\n\n${formatColumns(headings, rows)}\n`,
  );
}

interface DeepPage {
  readonly origin: string;
  readonly token: string;
  /** The path of the list, with its filters and limit. */
  readonly path: string;
  /** The number of the page that is compared with the first, from 2. */
  readonly page: number;
  /** How many times each page is requested, in turns. */
  readonly rounds: number;
}

/** Returns the median duration of a request for each page, in milliseconds. @throws Error if the list has too few pages or a request fails. */
async function comparePages({ origin, token, path, page, rounds }: DeepPage) {
  const get = async (cursor: string) => {
    const begun = performance.now();
    const { status, body } = await sendRequest(origin, token, { method: 'GET', path: path + cursor });
    const milliseconds = performance.now() - begun;
    if (status !== 200) throw new Error(`The response to ${path} has status ${status}: ${body}`);
    return { milliseconds, body };
  };
  let cursor = '';
  for (let number = 1; number < page; number += 1)
    cursor = `&cursor=${nextCursorIn((await get(cursor)).body)}`;
  const first: number[] = [];
  const later: number[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const times = [await get(''), await get(cursor)] as const;
    if (round < 0) continue;
    first.push(times[0].milliseconds);
    later.push(times[1].milliseconds);
  }
  return { first: spreadOf(first).median, later: spreadOf(later).median };
}

function nextCursorIn(body: string): string {
  const cursor = memberOf(JSON.parse(body), 'next_cursor');
  if (typeof cursor === 'string') return encodeURIComponent(cursor);
  throw new Error(`A page before the last one has no next_cursor: ${body}`);
}
