/** Measures the cost of one request in an instance, the primary, a replica and Redis, each a separate process on this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres } from '../../deploy/postgres.ts';
import { PostgresCluster } from '../../deploy/postgres-cluster.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/core/free-port.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import type { BenchRequest } from '../cases.ts';
import { type Cleanups, temporaryFolder } from '../cleanups.ts';
import { headersOf, sendRequest, signIn } from '../client.ts';
import { cpuTimeOfTree } from '../cpu-time.ts';
import { createKeys } from '../data.ts';
import { measureFanout } from '../fanout/run.ts';
import { chooseCores } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import { type BenchServer, startPortico } from '../servers.ts';
import type { StreamCost } from './followers.ts';
import type { Cost } from './model.ts';

const HOST = '127.0.0.1';

const PROGRAM = fileURLToPath(new URL('../../bin/portico.js', import.meta.url));

/** Connections, with one request at a time on each. */
const CONNECTIONS = 8;

/** Seconds of load per worker before a measurement, since V8 compiles the code in each worker separately. */
export const WARM_UP = 15;

/** Milliseconds for a start, and for writes in the background. */
const PAUSE = 500;

export interface Machines {
  readonly server: BenchServer;
  readonly cluster: PostgresCluster;
  readonly redis: ChildProcess;
  /** Starts another server with this number of workers. */
  readonly startWorkers: (count: number) => Promise<BenchServer>;
}

export async function startMachines(cleanups: Cleanups): Promise<Machines> {
  const programs = await findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed: apt install postgresql');
  const folder = await temporaryFolder(cleanups);
  // If this process runs as root, PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const databases = join(folder, 'postgres');
  await mkdir(databases);
  const cluster = new PostgresCluster(programs, databases);
  cleanups.push(() => cluster.stop());
  await cluster.start([await freePort(HOST), await freePort(HOST)]);

  const port = await freePort(HOST);
  const memoryOnly = ['--save', '', '--appendonly', 'no'];
  const redis = spawn('redis-server', ['--bind', HOST, '--port', String(port), ...memoryOnly], {
    stdio: 'ignore',
  });
  cleanups.push(() => redis.kill());

  const url = cluster.primary.url('postgres');
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  await installDemo(database, hashPassword);
  await database.close();
  const keysFile = await createKeys(folder);
  const environment = {
    DATABASE_REPLICA_URLS: cluster.replicaUrls,
    REDIS_URL: `redis://${HOST}:${port}`,
  };
  const data = { databaseUrl: url, keysFile };
  const server = await startPortico(data, undefined, { environment });
  const startWorkers = (count: number) =>
    startPortico(data, undefined, {
      name: `server with ${count}`,
      program: [PROGRAM, 'serve', '--workers', String(count)],
      environment,
    });
  // With a new Redis, an instance reads from the primary for as long as changes are remembered.
  await sleep(2 * LIMITS.replicaLag + PAUSE);
  return { server, cluster, redis, startWorkers };
}

/** @param email the user that sends the request: users that have just written read from the primary. @throws Error if a request fails. */
export async function measure(
  { server, cluster, redis }: Machines,
  request: BenchRequest,
  email: string,
  seconds: number,
): Promise<Cost> {
  const token = await signIn(server.url, email);
  const { headers, body } = await sendRequest(server.url, token, request);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const load = startLoad(undefined);
  // One for each connection: connections do not share requests.
  const requests = Array<BenchRequest>(CONNECTIONS).fill(request);
  const job = { url: server.url, headers: headersOf(token), requests, connections: CONNECTIONS };
  await runLoad(load, { ...job, seconds });
  const [replica] = cluster.replicas;
  const now = () => ({
    instance: cpuTimeOfTree(server.process.pid),
    primary: cpuTimeOfTree(cluster.primary.pid),
    replica: cpuTimeOfTree(replica?.pid),
    redis: cpuTimeOfTree(redis.pid),
    client: cpuTimeOfTree(load.pid),
  });
  const before = now();
  const { responses, refused, failed } = await runLoad(load, { ...job, seconds });
  if (refused + failed > 0) throw new Error(`${refused + failed} of ${responses} requests failed.`);
  await sleep(PAUSE);
  const after = now();
  const each = (name: keyof typeof after) => (after[name] - before[name]) / 1000 / responses;
  return {
    instance: each('instance'),
    primary: each('primary'),
    replica: each('replica'),
    redis: each('redis'),
    client: each('client'),
    bytes: Buffer.byteLength(lines) + Buffer.byteLength(body),
  };
}

const STREAMS = 2000;
const EVENTS = 50;

/** Measures the cost of a WebSocket that follows the log. Must run before anything else is started. */
export async function streamCost(cleanups: Cleanups): Promise<StreamCost> {
  const folder = await temporaryFolder(cleanups);
  const options = { connections: STREAMS, events: EVENTS, burst: 1, onProgress: () => {} };
  const { user, system, subscribed } = await measureFanout('portico', folder, chooseCores(), options);
  return { memory: subscribed.rss, delivery: (user + system) / STREAMS };
}
