/**
 * `npm run bench -- workers`: compares the throughput of several workers (`portico serve --workers`) with one worker. The measured
 * query is an introspection query, which uses only the server's processor: it runs no statements, and clients receive its response with
 * little work. So the workers are what competes for the machine's cores. Measures in turns, in a temporary PostgreSQL database.
 */
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '../src/auth/passwords.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { loadConfig } from '../src/config.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import type { BenchRequest } from './cases.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { headersOf, signIn } from './client.ts';
import { cpuTimeOfTree } from './cpu-time.ts';
import { createKeys } from './data.ts';
import type { LoadJob } from './load.ts';
import { integer, readTexts } from './options.ts';
import { createPostgres } from './postgres.ts';
import { runLoad, startLoad } from './rounds.ts';
import { type BenchServer, startPortico } from './servers.ts';

const DEFAULTS = {
  workers: '2',
  rounds: '3',
  seconds: '10',
  connections: '32',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- workers [options]

  --workers <number>      workers that are compared with one (${DEFAULTS.workers})
  --rounds <number>       rounds for each number of workers (${DEFAULTS.rounds})
  --seconds <number>      seconds per round (${DEFAULTS.seconds})
  --connections <number>  connections, with one request at a time on each (${DEFAULTS.connections})
  --postgres <url>        a server on which a database can be created (${DEFAULTS.postgres})
`;

const DESCRIPTION =
  'kind name description fields { name description args { name } type { kind name ofType { kind name } } }';
const TYPES = ['User', 'Order', 'Product', 'Charge', 'Document'];

const QUERY = `{ ${TYPES.map((name) => `${name}: __type(name: "${name}") { ${DESCRIPTION} }`).join(' ')} }`;
const REQUEST: BenchRequest = { method: 'POST', path: '/graphql', body: JSON.stringify({ query: QUERY }) };

/** In production, introspection is disabled. */
const ENVIRONMENT = { NODE_ENV: 'development' };

const PROGRAM = fileURLToPath(new URL('../bin/portico.js', import.meta.url));

/** @throws UsageError for an invalid option. */
export async function workers(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const several = integer('workers', values.workers, 2, 64);
  const rounds = integer('rounds', values.rounds, 1, 100);
  const seconds = integer('seconds', values.seconds, 1, 600);
  const connections = integer('connections', values.connections, 2, 1000);
  const data = await prepareData(values.postgres, cleanups);
  const subjects = [await startWorkers(data, 1), await startWorkers(data, several)];
  const load = startLoad(undefined);
  // One for each connection: connections do not share requests.
  const requests = Array.from({ length: connections }, () => REQUEST);
  for (let round = -1; round < rounds; round += 1) {
    for (const { server, rates, times } of subjects) {
      const headers = headersOf(await signIn(server.url));
      const job: LoadJob = { url: server.url, headers, requests, connections, seconds };
      const before = cpuTimeOfTree(server.process.pid);
      const { requestsPerSecond, responses, refused, failed } = await runLoad(load, job);
      if (refused + failed > 0) throw new Error(`${refused + failed} requests failed.`);
      // The first round is the warm-up.
      if (round < 0) continue;
      rates.push(requestsPerSecond);
      times.push((cpuTimeOfTree(server.process.pid) - before) / responses / 1000);
    }
  }
  const [one, more] = subjects.map(({ rates, times }) => ({ rate: mean(rates), time: mean(times) }));
  if (!one || !more) return;
  process.stdout.write(
    `One worker: ${one.rate.toFixed(0)} requests a second, ${one.time.toFixed(2)} ms of a core each. ` +
      `${several} workers: ${more.rate.toFixed(0)}, ${more.time.toFixed(2)} ms each; ` +
      `${(more.rate / one.rate).toFixed(2)} times the throughput, with the database and the clients on the same ` +
      `${availableParallelism()} cores. Load average: ${loadavg()[0]?.toFixed(1)}.\n`,
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A server with a number of workers, and its measurements. */
interface Subject {
  readonly server: BenchServer;
  /** Requests a second, per round. */
  readonly rates: number[];
  /** Processor time per request, in milliseconds, per round. */
  readonly times: number[];
}

interface Data {
  readonly databaseUrl: string;
  readonly keysFile: string;
}

async function prepareData(postgres: string, cleanups: Cleanups): Promise<Data> {
  const folder = await temporaryFolder(cleanups);
  const keysFile = await createKeys(folder);
  const databaseUrl = await createPostgres(postgres, 'portico_bench_workers', cleanups);
  await migrate(databaseUrl);
  const database = await openDatabase({ ...loadConfig({}).database, url: databaseUrl });
  try {
    await installDemo(database, hashPassword);
  } finally {
    await database.close();
  }
  return { databaseUrl, keysFile };
}

async function startWorkers(data: Data, count: number): Promise<Subject> {
  const program = [PROGRAM, 'serve', '--workers', String(count)];
  const server = await startPortico(data, undefined, {
    name: `server with ${count}`,
    program,
    environment: ENVIRONMENT,
  });
  return { server, rates: [], times: [] };
}
