/**
 * `npm run bench -- neighbours`: measures the latency of one organisation (the neighbour) while users of a large organisation send the
 * most expensive operations that the server admits. Runs on each engine, with a server process as in production.
 */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.ts';
import { type Cleanups, temporaryFolder } from '../cleanups.ts';
import { headersOf, signIn } from '../client.ts';
import { createKeys } from '../data.ts';
import { resultOf } from '../jobs.ts';
import { integer, readTexts } from '../options.ts';
import { endProcess, startNode } from '../processes.ts';
import { createProgress } from '../progress.ts';
import { type ServedData, startPortico } from '../servers.ts';
import type { ArrivalsJob, ArrivalsResult } from './arrivals.ts';
import type { AttackJob, AttackResult } from './attackers.ts';
import { ENGINES, type Engine, prepareDatabase, readDatabaseOptions } from './databases.ts';
import { expensiveOperations } from './operations.ts';
import { type Packed, pack } from './packing.ts';
import { describeOperations, describePhases, exceededLimits, type Phase } from './report.ts';
import { NEIGHBOUR, neighbourOrders, type Sizes, VIEWERS, viewerEmail } from './rows.ts';

const DEFAULTS = {
  events: '1000000',
  orders: '500000',
  seconds: '20',
  rate: '50',
  connections: '16',
  points: String(loadConfig({}).operations.cost),
  engine: 'both',
  data: 'new',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- neighbours [options]

  --events <number>       events of the large organisation (${DEFAULTS.events})
  --orders <number>       orders of the large organisation (${DEFAULTS.orders})
  --seconds <number>      seconds of each of the four measurements on an engine (${DEFAULTS.seconds})
  --rate <number>         requests a second of the neighbour (${DEFAULTS.rate})
  --connections <number>  connections of the large organisation's ${VIEWERS} viewers (${DEFAULTS.connections})
  --points <number>       maximum points of an operation of these viewers (${DEFAULTS.points})
  --engine <name>         ${ENGINES.join(', ')} or both (${DEFAULTS.engine})
  --data <which>          new, or kept: reuses the databases of a previous run, or keeps new ones for the next run (${DEFAULTS.data})
  --postgres <url>        a server on which a database can be created (${DEFAULTS.postgres})

Exits with status 1 if a limit is exceeded.
`;

interface Options {
  readonly sizes: Sizes;
  readonly seconds: number;
  readonly rate: number;
  readonly connections: number;
  /** The maximum points of an operation of the attackers. */
  readonly points: number;
  readonly engines: readonly Engine[];
  readonly isReused: boolean;
  readonly postgres: string;
}

/** Seconds of requests before each measurement, of the neighbour and of the attackers, in which V8 compiles the code of a new server. */
const WARM_UP = 3;

/** Errors of an overloaded server are not logged, since the table counts them. */
const logLevel = 'fatal';

const BUDGETS = [
  { title: 'default budgets', hasBudgets: true },
  { title: 'unlimited budgets', hasBudgets: false },
] as const;

/** @throws UsageError for an invalid option. */
export async function neighbours(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const options = readOptions(args);
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const keysFile = await createKeys(folder);
  const exceeded: string[] = [];
  for (const engine of options.engines) {
    progress.show(`${engine}: filling the database`);
    const databaseUrl = await prepareDatabase(engine, options, cleanups);
    const data = { databaseUrl, keysFile };
    const requests = await prepareRequests(data, options, (what) => progress.show(`${engine}: ${what}`));
    const phases: Phase[] = [];
    for (const { title, hasBudgets } of BUDGETS) {
      progress.show(`${engine}: ${title}`);
      phases.push({ title, ...(await measure(data, hasBudgets, requests, options)) });
    }
    progress.clear();
    const { orders, events } = options.sizes;
    process.stdout.write(
      [
        `${engine}: ${events} events, ${orders} orders; load average ${loadavg()[0]?.toFixed(1)}`,
        describeOperations(requests.operations),
        describePhases(phases),
        '',
      ].join('\n\n'),
    );
    exceeded.push(
      ...phases.flatMap((phase) => exceededLimits(phase).map((what) => `${engine}, ${phase.title}: ${what}`)),
    );
  }
  process.stdout.write(
    exceeded.length === 0 ? 'No limit is exceeded.\n' : `Exceeded limits:\n  ${exceeded.join('\n  ')}\n`,
  );
  if (exceeded.length > 0) process.exitCode = 1;
}

function readOptions(args: readonly string[]): Options {
  const values = readTexts(args, DEFAULTS, USAGE);
  return {
    ...readDatabaseOptions(values),
    sizes: {
      events: integer('events', values.events, 10_000, 100_000_000),
      orders: integer('orders', values.orders, 5000, 10_000_000),
    },
    seconds: integer('seconds', values.seconds, 1, 600),
    rate: integer('rate', values.rate, 1, 1000),
    connections: integer('connections', values.connections, 1, 1000),
    points: integer('points', values.points, 50, loadConfig({}).operations.cost),
  };
}

/** The operations of the attackers, and the request headers of each connection. */
interface Requests {
  readonly operations: readonly Packed[];
  readonly viewers: readonly Readonly<Record<string, string>>[];
  readonly neighbour: Readonly<Record<string, string>>;
}

/** Prepares the requests on a separate server without budgets, which rejects nothing. */
async function prepareRequests(
  data: ServedData,
  { sizes, connections, points }: Options,
  onProgress: (what: string) => void,
): Promise<Requests> {
  const server = await startPortico(data, undefined, { logLevel });
  onProgress('signing in');
  const tokens: string[] = [];
  for (let number = 0; number < VIEWERS; number += 1) {
    tokens.push(await signIn(server.url, viewerEmail(number)));
  }
  const neighbour = headersOf(await signIn(server.url, NEIGHBOUR.email));
  const [token = ''] = tokens;
  const operations: Packed[] = [];
  for (const kind of expensiveOperations(sizes)) {
    onProgress(`packing ${kind.name}`);
    operations.push(await pack(server.url, token, kind, points));
  }
  await endProcess(server.process);
  const viewers = Array.from({ length: connections }, (_, number) =>
    headersOf(tokens[number % VIEWERS] ?? ''),
  );
  return { operations, viewers, neighbour };
}

async function measure(
  data: ServedData,
  hasBudgets: boolean,
  { operations, viewers, neighbour }: Requests,
  options: Options,
): Promise<Omit<Phase, 'title'>> {
  const server = await startPortico(data, undefined, {
    hasBudgets,
    operationPatience: loadConfig({}).operations.patience,
    logLevel,
  });
  const arrivals = startNode([pathOf('arrivals.ts')], {}, undefined);
  const attackers = startNode([pathOf('attackers.ts')], {}, undefined);
  const { seconds, rate } = options;
  const job: ArrivalsJob = {
    url: server.url,
    headers: neighbour,
    paths: neighbourOrders(options.sizes).map((id) => `/v1/orders/${id}`),
    rate,
    seconds,
  };
  const arrive = (one: ArrivalsJob) => resultOf<ArrivalsResult>(arrivals, one);
  await arrive({ ...job, seconds: WARM_UP });
  const idle = await arrive(job);
  const bodies = operations.map(({ query }) => JSON.stringify({ query }));
  const attack = resultOf<AttackResult>(attackers, { url: server.url, viewers, bodies } satisfies AttackJob);
  await arrive({ ...job, seconds: WARM_UP });
  const loaded = await arrive(job);
  attackers.send('stop');
  const attacked = await attack;
  for (const child of [arrivals, attackers, server.process]) await endProcess(child);
  return { idle, loaded, attacked };
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
