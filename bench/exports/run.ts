/**
 * `npm run bench -- exports`: measures the effect of an export of a million orders on the server's memory and on other requests. Runs
 * on each engine, with a server process as in production, and with budgets that do not slow down the export.
 */
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Cleanups, temporaryFolder } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import { createKeys } from '../data.ts';
import { resultOf } from '../jobs.ts';
import { watchMemory } from '../memory.ts';
import type { ArrivalsJob, ArrivalsResult } from '../neighbours/arrivals.ts';
import { ENGINES, type Engine, prepareDatabase, readDatabaseOptions } from '../neighbours/databases.ts';
import { NEIGHBOUR, neighbourOrders, type Sizes } from '../neighbours/rows.ts';
import { integer, readTexts } from '../options.ts';
import { chooseCores, endProcess, startNode } from '../processes.ts';
import { createProgress } from '../progress.ts';
import { startPortico } from '../servers.ts';
import { formatColumns } from '../table.ts';
import type { ReaderJob, ReaderResult } from './reader.ts';

const DEFAULTS = {
  orders: '1000000',
  seconds: '20',
  rate: '200',
  engine: 'both',
  data: 'new',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- exports [options]

  --orders <number>   orders of the organisation, with three items each (${DEFAULTS.orders})
  --seconds <number>  seconds of each measurement of the neighbour, another organisation (${DEFAULTS.seconds})
  --rate <number>     requests a second of the neighbour (${DEFAULTS.rate})
  --engine <name>     ${ENGINES.join(', ')} or both (${DEFAULTS.engine})
  --data <which>      new, or kept: reuses the databases of a previous run, or keeps new ones for the next run (${DEFAULTS.data})
  --postgres <url>    a server on which a database can be created (${DEFAULTS.postgres})

Exits with status 1 if a limit is exceeded.
`;

/** The maximum growth of the server's memory, in MiB. */
const MAX_GROWTH = 64;
/** The maximum ratio of the neighbour's p99 with and without the export. */
const MAX_RATIO = 3;

/** Seconds of requests before the measurement, in which V8 compiles the code of a new server. */
const WARM_UP = 5;

/**
 * Runs the reader with the normal scheduling policy even if the benchmark itself runs with a real-time one (`chrt --rr 1 npm run bench --
 * exports`, for a busy machine). On the same core, the reader would otherwise delay the measured clients.
 */
const NORMAL_PRIORITY = spawnSync('chrt', ['-o', '0', 'true']).status === 0 ? ['chrt', '-o', '0'] : [];

/** Few events, since an export of orders does not read them. */
const EVENTS = 10_000;

/** The exported formats, one export each. */
const FORMATS = ['application/x-ndjson', 'text/csv'] as const;
type Format = (typeof FORMATS)[number];

interface Options {
  readonly sizes: Sizes;
  readonly seconds: number;
  readonly rate: number;
  readonly engines: readonly Engine[];
  readonly isReused: boolean;
  readonly postgres: string;
}

interface Measured {
  readonly engine: Engine;
  readonly format: Format;
  readonly idle: ArrivalsResult;
  readonly loaded: ArrivalsResult;
  readonly read: ReaderResult;
  /** Whether the export ran during the whole measurement of the neighbour. */
  readonly covers: boolean;
  /** Peak memory without and with the export, in MiB. */
  readonly memory: { readonly idle: number; readonly loaded: number };
}

/** @throws UsageError for an invalid option. */
export async function exports(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const options = readOptions(args);
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const keysFile = await createKeys(folder);
  const all: Measured[] = [];
  for (const engine of options.engines) {
    progress.show(`${engine}: filling the database`);
    const databaseUrl = await prepareDatabase(engine, options, cleanups);
    for (const format of FORMATS) {
      progress.show(`${engine}: ${format}`);
      all.push({ engine, format, ...(await measure({ databaseUrl, keysFile }, format, options)) });
    }
  }
  progress.clear();
  const exceeded = all.flatMap((one) =>
    exceededLimits(one, options).map((what) => `${one.engine}, ${one.format}: ${what}`),
  );
  process.stdout.write(
    `${options.sizes.orders} orders; load average ${loadavg()[0]?.toFixed(1)}\n\n${describe(all)}\n\n${
      exceeded.length === 0 ? 'No limit is exceeded.' : `Exceeded limits:\n  ${exceeded.join('\n  ')}`
    }\n`,
  );
  if (exceeded.length > 0) process.exitCode = 1;
}

function readOptions(args: readonly string[]): Options {
  const values = readTexts(args, DEFAULTS, USAGE);
  return {
    ...readDatabaseOptions(values),
    sizes: { events: EVENTS, orders: integer('orders', values.orders, 5000, 10_000_000) },
    seconds: integer('seconds', values.seconds, 1, 600),
    rate: integer('rate', values.rate, 1, 1000),
  };
}

async function measure(
  data: Parameters<typeof startPortico>[0],
  format: Format,
  { sizes, seconds, rate }: Options,
): Promise<Omit<Measured, 'engine' | 'format'>> {
  const cores = chooseCores();
  const server = await startPortico(data, cores.servers);
  const arrivals = startNode([pathOf('../neighbours/arrivals.ts')], {}, cores.load);
  const reader = startNode([pathOf('reader.ts')], {}, cores.load, NORMAL_PRIORITY);
  const job: ArrivalsJob = {
    url: server.url,
    headers: headersOf(await signIn(server.url, NEIGHBOUR.email)),
    paths: neighbourOrders(sizes).map((id) => `/v1/orders/${id}`),
    rate,
    seconds,
  };
  const arrive = (one: ArrivalsJob) => resultOf<ArrivalsResult>(arrivals, one);
  await arrive({ ...job, seconds: WARM_UP });
  const before = watchMemory(server);
  const idle = await arrive(job);
  const idleMemory = before.end();
  const headers = { ...headersOf(await signIn(server.url)), accept: format };
  const during = watchMemory(server);
  let isOver = false;
  const reading = resultOf<ReaderResult>(reader, {
    url: `${server.url}/v1/orders`,
    headers,
  } satisfies ReaderJob);
  const read = reading.finally(() => {
    isOver = true;
  });
  await arrive({ ...job, seconds: WARM_UP });
  const loaded = await arrive(job);
  const covers = !isOver;
  const result = await read;
  const memory = { idle: idleMemory, loaded: during.end() };
  for (const child of [arrivals, reader, server.process]) await endProcess(child);
  return { idle, loaded, read: result, covers, memory };
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function describe(all: readonly Measured[]): string {
  return formatColumns(
    [
      '',
      'seconds',
      'MB',
      'MiB idle',
      'MiB peak',
      'p50 idle ms',
      'p50 ms',
      'p99 idle ms',
      'p99 ms',
      'ratio of p99',
    ],
    all.map(({ engine, format, idle, loaded, read, memory }) => [
      `${engine}, ${format}`,
      read.seconds.toFixed(1),
      (read.bytes / 1e6).toFixed(0),
      String(memory.idle),
      String(memory.loaded),
      ...[idle.p50, loaded.p50, idle.p99, loaded.p99].map((each) => each.toFixed(2)),
      (loaded.p99 / idle.p99).toFixed(2),
    ]),
  );
}

/** Describes each exceeded limit. */
function exceededLimits(
  { idle, loaded, read, covers, memory }: Measured,
  { sizes }: Options,
): readonly string[] {
  const growth = memory.loaded - memory.idle;
  const ratio = loaded.p99 / idle.p99;
  // The export also contains the orders of the demo data.
  const rows = Number(/^rows=(\d+)$/.exec(read.complete ?? '')?.[1] ?? 0);
  const failed =
    loaded.failed +
    Object.entries(loaded.statuses).reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0);
  return [
    rows >= sizes.orders ? [] : `the export has ${rows} rows and status ${read.status}`,
    growth < MAX_GROWTH ? [] : `memory grew by ${growth} MiB; the limit is ${MAX_GROWTH}`,
    ratio < MAX_RATIO
      ? []
      : `the neighbour's p99 is ${ratio.toFixed(1)} times its p99 without the export; the limit is ${MAX_RATIO}`,
    failed === 0 ? [] : `${failed} requests of the neighbour failed`,
    covers ? [] : 'the export completed before the measurement: use more orders or fewer seconds',
  ].flat();
}
