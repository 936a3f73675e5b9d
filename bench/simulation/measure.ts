/** What one request takes of an instance, the primary, a replica and Redis, each a process of its own on this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres } from '../../deploy/postgres.ts';
import { PostgresCluster } from '../../deploy/postgres-cluster.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { freePort } from '../../src/core/free-port.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import type { BenchRequest } from '../cases.ts';
import type { Cleanups } from '../cleanups.ts';
import { ask, headersOf, signIn } from '../client.ts';
import { cpuTimeOfTree } from '../cpu-time.ts';
import { measureFanout } from '../fanout/run.ts';
import { chooseCores } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import { type BenchServer, startPortico } from '../servers.ts';
import type { StreamCost } from './followers.ts';
import type { Cost } from './model.ts';

const HOST = '127.0.0.1';

const PROGRAM = fileURLToPath(new URL('../../bin/portico.js', import.meta.url));

/** Clients that each wait for their response. */
const CONNECTIONS = 8;

/** Seconds of load for each worker before anything counts: V8 compiles what each of them runs often by itself. */
export const WARM_UP = 15;

/** Milliseconds for a start, and for what is written in the background. */
const PAUSE = 500;

export interface Machines {
  readonly server: BenchServer;
  readonly cluster: PostgresCluster;
  readonly redis: ChildProcess;
  /** Starts the server once more, with so many workers. */
  readonly startWorkers: (count: number) => Promise<BenchServer>;
}

export async function startMachines(cleanups: Cleanups): Promise<Machines> {
  const programs = await findPostgres();
  if (!programs) throw new Error('There is no PostgreSQL on this machine: apt install postgresql');
  const folder = await mkdtemp(join(tmpdir(), 'portico-simulation-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs as another user.
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
  const keysFile = join(folder, 'keys.json');
  await loadKeys({ file: keysFile, createWhenMissing: true, clock: systemClock });
  const environment = {
    DATABASE_REPLICA_URLS: cluster.replicaUrls,
    REDIS_URL: `redis://${HOST}:${port}`,
  };
  const place = { databaseUrl: url, keysFile };
  const server = await startPortico(place, undefined, { environment });
  const startWorkers = (count: number) =>
    startPortico(place, undefined, {
      name: `server with ${count}`,
      program: [PROGRAM, 'serve', '--workers', String(count)],
      environment,
    });
  // An instance beside a new Redis reads the primary for as long as changes are remembered.
  await sleep(2 * LIMITS.replicaLag + PAUSE);
  return { server, cluster, redis, startWorkers };
}

/** @param email who sends it: callers who have just written read the primary. @throws Error when a request is not served. */
export async function measure(
  { server, cluster, redis }: Machines,
  request: BenchRequest,
  email: string,
  seconds: number,
): Promise<Cost> {
  const token = await signIn(server.url, email);
  const { headers, body } = await ask(server.url, token, request);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const load = startLoad(undefined);
  // Each connection has requests of its own.
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
  const { answers, refused, failed } = await runLoad(load, { ...job, seconds });
  if (refused + failed > 0) throw new Error(`${refused + failed} of ${answers} requests were not served.`);
  await sleep(PAUSE);
  const after = now();
  const each = (name: keyof typeof after) => (after[name] - before[name]) / 1000 / answers;
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

/** @returns what a WebSocket that follows the log takes, with nothing else on the machine yet. */
export async function streamCost(cleanups: Cleanups): Promise<StreamCost> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-simulation-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const options = { connections: STREAMS, events: EVENTS, onProgress: () => {} };
  const { user, system, subscribed } = await measureFanout('portico', folder, chooseCores(), options);
  return { memory: subscribed.rss, delivery: (user + system) / STREAMS };
}
