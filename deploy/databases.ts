/** The databases that `npm run cluster -- --replicas` starts: PostgreSQL with replicas, HAProxy, and Redis. */
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveChecks, writeHaproxyConfiguration } from './haproxy.ts';
import { findPostgres, type PostgresServer } from './postgres.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import { ClusterError, findProgram, type Processes, say } from './processes.ts';

/** Milliseconds between two checks whether all PostgreSQL servers are running. */
const CHECK_INTERVAL = 500;

export interface DatabasesOptions {
  /** The folder for all files. */
  readonly directory: string;
  readonly replicas: number;
  /** The port of HAProxy. The PostgreSQL servers and Redis have the next ones. */
  readonly firstPort: number;
}

/** The settings for the instances, and a function that stops the PostgreSQL servers. */
export interface Databases {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** @throws ClusterError if a program is not installed. */
export async function startDatabases(
  processes: Processes,
  { directory, replicas, firstPort }: DatabasesOptions,
): Promise<Databases> {
  const programs = await findPostgres();
  if (!programs) throw new ClusterError('PostgreSQL is not installed: apt install postgresql');
  const redis = findProgram('redis-server', '--version');
  if (!redis) throw new ClusterError('Redis is not installed: apt install redis-server');

  const folder = join(directory, 'postgres');
  await mkdir(folder);
  // If this process runs as root, PostgreSQL runs as another user.
  for (const each of [directory, folder]) await chmod(each, 0o755);
  const cluster = new PostgresCluster(programs, folder);
  try {
    const ports = Array.from({ length: replicas }, (_, index) => firstPort + 2 + index);
    await cluster.start([firstPort + 1, ...ports]);
    for (const server of cluster.servers) describe(cluster, server);
    const redisPort = firstPort + replicas + 2;
    startRedis(processes, redis, redisPort);
    const primary = await startHaproxy(processes, directory, firstPort, cluster);
    const monitoring = keepRunning(cluster, processes);
    return {
      env: {
        DATABASE_URL: primary?.url ?? cluster.url,
        DATABASE_REPLICA_URLS: cluster.replicaUrls,
        REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      },
      async stop() {
        primary?.close();
        await monitoring;
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

function describe(cluster: PostgresCluster, server: PostgresServer): void {
  const role = server === cluster.primary ? 'the primary' : 'a replica';
  say(`PostgreSQL ${server.name} is ${role}, has process ${server.pid} and ${server.url('postgres')}`);
}

function startRedis(processes: Processes, program: string, port: number): void {
  const memoryOnly = ['--save', '', '--appendonly', 'no', '--logfile', '/dev/null'];
  const args = ['--bind', '127.0.0.1', '--port', String(port), ...memoryOnly];
  processes.keep('Redis', `redis://127.0.0.1:${port}`, program, args);
}

/** @returns undefined if HAProxy is not installed. */
async function startHaproxy(
  processes: Processes,
  directory: string,
  port: number,
  cluster: PostgresCluster,
): Promise<{ readonly url: string; close(): void } | undefined> {
  const program = findProgram('haproxy', '-v');
  if (!program) {
    say('HAProxy is not installed (apt install haproxy): DATABASE_URL contains all PostgreSQL servers');
    return undefined;
  }
  const checks = await serveChecks(cluster);
  const configuration = await writeHaproxyConfiguration(directory, port, cluster, checks);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  processes.keep('HAProxy', url, program, ['-q', '-db', '-f', configuration]);
  return { url, close: () => checks.close() };
}

/** Until everything is stopped, promotes a replica when the primary ends, and restarts servers that end. */
async function keepRunning(cluster: PostgresCluster, processes: Processes): Promise<void> {
  while (!processes.isStopping) {
    try {
      await repair(cluster);
    } catch (error) {
      say(`PostgreSQL: ${error instanceof Error ? error.message : error}`);
    }
    await sleep(CHECK_INTERVAL);
  }
}

/** Fails over if the primary has ended, and restarts replicas that have ended. */
async function repair(cluster: PostgresCluster): Promise<void> {
  const lost = cluster.primary;
  if (!lost.isRunning) {
    say(`PostgreSQL ${lost.name} has ended`);
    describe(cluster, await cluster.failOver());
    describe(cluster, await cluster.rejoin(lost));
  }
  for (const replica of cluster.replicas) {
    if (replica.isRunning) continue;
    say(`PostgreSQL ${replica.name} has ended`);
    await replica.start();
    describe(cluster, replica);
  }
}
