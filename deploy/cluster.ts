/**
 * `npm run cluster`: simulates several machines with local processes. Runs two instances behind nginx, with the same
 * configuration as in compose.yaml, on an existing PostgreSQL and Redis, or with `--replicas` on its own. Processes that end are
 * restarted.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Databases, startDatabases } from './databases.ts';
import { ClusterError, findProgram, Processes, ROOT, Stopped, say } from './processes.ts';

const USAGE = `Usage: npm run cluster -- [--replicas 2] [--port 8080] [--first-instance 4001]

Runs two instances behind nginx, on 127.0.0.1. With --replicas, it also starts PostgreSQL with streaming replicas behind HAProxy,
and Redis; all their data is deleted at the end. Without --replicas, DATABASE_URL must lead to PostgreSQL, and REDIS_URL to Redis, for
immediate notifications between the instances. All other settings of the server are passed on.

  --replicas <number>        starts PostgreSQL with this number of replicas, from 1 to 8
  --port <number>            the port of nginx
  --first-instance <number>  the port of the first instance; the second has the next port
  --first-database <number>  the port of HAProxy; the PostgreSQL servers and Redis have the next ports
  --help                     shows this help
`;

const OPTIONS = {
  replicas: { type: 'string' },
  port: { type: 'string', default: '8080' },
  'first-instance': { type: 'string', default: '4001' },
  'first-database': { type: 'string', default: '5440' },
  help: { type: 'boolean' },
} as const;

interface Ports {
  readonly proxy: number;
  readonly instances: readonly number[];
  readonly databases: number;
}

/** Writes the nginx configuration of the container, with local addresses and a local folder. */
async function writeConfiguration(directory: string, { proxy, instances }: Ports): Promise<string> {
  const given = await readFile(join(ROOT, 'deploy/nginx.conf'), 'utf8');
  const configured = given
    .replaceAll('/tmp/portico-nginx', join(directory, 'nginx'))
    .replace('listen 8080;', `listen 127.0.0.1:${proxy};`)
    .replace('server portico-1:4000 resolve', `server 127.0.0.1:${instances[0]}`)
    .replace('server portico-2:4000 resolve', `server 127.0.0.1:${instances[1]}`);
  const file = join(directory, 'nginx.conf');
  await writeFile(file, configured);
  return file;
}

async function startInstances(
  processes: Processes,
  { proxy, instances }: Ports,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // One at a time, so that the first one creates the keys and the demo data and the second one finds them.
  for (const [index, port] of instances.entries()) {
    const url = `http://127.0.0.1:${port}`;
    processes.keep(`instance ${index + 1}`, url, process.execPath, ['bin/portico.js', 'serve'], {
      PUBLIC_URL: `http://localhost:${proxy}`,
      ...process.env,
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      TRUST_PROXY: '1',
    });
    await processes.ready(`${url}/readyz`);
  }
}

async function startNginx(processes: Processes, nginx: string, directory: string, ports: Ports) {
  const configuration = await writeConfiguration(directory, ports);
  const where = ['-p', directory, '-c', configuration, '-e', 'stderr', '-g', 'daemon off;'];
  const front = processes.start('nginx', nginx, where);
  await processes.ready(`http://127.0.0.1:${ports.proxy}/readyz`);
  return front;
}

function replicasOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 8)
    throw new ClusterError(`--replicas must be a number from 1 to 8, not "${text}".`);
  return count;
}

/** Runs everything until nginx ends, which happens when everything is stopped. */
async function run(replicas: number | undefined, ports: Ports): Promise<void> {
  if (replicas === undefined && !/^postgres(ql)?:/.test(process.env['DATABASE_URL'] ?? '')) {
    throw new ClusterError(
      'DATABASE_URL must lead to PostgreSQL, since instances cannot share a file. --replicas 2 starts one.',
    );
  }
  const nginx = findProgram('nginx', '-v');
  if (!nginx) throw new ClusterError('nginx is not installed. On Debian: apt install nginx-light');

  const processes = new Processes();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void processes.stop());
  const directory = await mkdtemp(join(tmpdir(), 'portico-cluster-'));
  let databases: Databases | undefined;
  try {
    if (replicas !== undefined) {
      const firstPort = ports.databases;
      databases = await startDatabases(processes, { directory, replicas, firstPort });
    }
    // The keys are deleted together with the database that they decrypt.
    const keys = databases && { AUTH_KEYS_FILE: join(directory, 'keys.json') };
    await startInstances(processes, ports, { ...databases?.env, ...keys });
    const front = await startNginx(processes, nginx, directory, ports);
    say(`ready at http://localhost:${ports.proxy}`);
    if (front.exitCode === null) await new Promise((resolve) => front.once('exit', resolve));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await processes.stop();
    await databases?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const first = Number(values['first-instance']);
  await run(values.replicas === undefined ? undefined : replicasOf(values.replicas), {
    proxy: Number(values.port),
    instances: [first, first + 1],
    databases: Number(values['first-database']),
  });
}

main().catch((error: unknown) => {
  const isForOperator = error instanceof ClusterError || error instanceof TypeError;
  process.stderr.write(
    `${isForOperator ? error.message : (error instanceof Error && error.stack) || error}\n`,
  );
  process.exitCode = 1;
});
