/**
 * `npm run cluster`: what compose.yaml runs, from local processes. Two instances over one PostgreSQL and one Redis, which
 * have to be there, behind nginx with the same configuration. An instance that ends is started again.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `Usage: npm run cluster -- [--port 8080] [--first-instance 4001]

Runs two instances behind nginx, on 127.0.0.1. DATABASE_URL has to name a PostgreSQL; REDIS_URL a Redis, by which the
instances hear from each other at once. The other settings of the server are passed on.

  --port <number>            where nginx listens
  --first-instance <number>  where the first instance listens; the second has the next port
  --help                     shows this
`;

/** Milliseconds until an instance that has ended is started again: long enough not to spin where it cannot start. */
const PAUSE = 1000;

/** Milliseconds in which an instance must be ready. */
const PATIENCE = 30_000;

/** Why the topology does not start, as a message for the user. */
class ClusterError extends Error {}

interface Ports {
  readonly proxy: number;
  readonly instances: readonly number[];
}

const children = new Set<ChildProcess>();
let stopping = false;

function start(name: string, file: string, args: readonly string[], env = process.env): ChildProcess {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.once('error', (error) => say(`${name} cannot be started: ${error.message}`));
  return child;
}

const say = (line: string) => void process.stdout.write(`cluster: ${line}\n`);

/** Keeps an instance running until everything is stopped. */
function keep(number: number, port: number, publicUrl: string): void {
  const child = start(`instance ${number}`, process.execPath, ['bin/portico.js', 'serve'], {
    PUBLIC_URL: publicUrl,
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUST_PROXY: '1',
  });
  say(`instance ${number} has process ${child.pid} and http://127.0.0.1:${port}`);
  child.once('exit', async () => {
    if (stopping) return;
    say(`instance ${number} has ended`);
    await sleep(PAUSE);
    if (!stopping) keep(number, port, publicUrl);
  });
}

/** The configuration of the container, with addresses and a folder for its files of this machine. */
async function writeConfiguration(directory: string, { proxy, instances }: Ports): Promise<string> {
  const given = await readFile(join(ROOT, 'deploy/nginx.conf'), 'utf8');
  const configured = given
    .replaceAll('/tmp/portico-nginx', join(directory, 'nginx'))
    .replace('listen 8080;', `listen 127.0.0.1:${proxy};`)
    .replace('server portico-1:4000', `server 127.0.0.1:${instances[0]}`)
    .replace('server portico-2:4000', `server 127.0.0.1:${instances[1]}`);
  const file = join(directory, 'nginx.conf');
  await writeFile(file, configured);
  return file;
}

async function whenReady(port: number): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (performance.now() < end && !stopping) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new ClusterError(`Nothing became ready on port ${port} within ${PATIENCE / 1000} s.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      'first-instance': { type: 'string', default: '4001' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [proxy, first] = [Number(values.port), Number(values['first-instance'])];
  if (!/^postgres(ql)?:/.test(process.env['DATABASE_URL'] ?? '')) {
    throw new ClusterError('DATABASE_URL has to name a PostgreSQL: instances do not share a file.');
  }
  const nginx = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);
  if (!nginx)
    throw new ClusterError('There is no nginx on this machine. Debian has it: apt install nginx-light');

  const directory = await mkdtemp(join(tmpdir(), 'portico-cluster-'));
  const stop = () => {
    stopping = true;
    for (const child of children) child.kill('SIGTERM');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  try {
    const ports = { proxy, instances: [first, first + 1] };
    // One at a time, so that one of them makes the keys and the demo data and the other finds them.
    for (const [index, port] of ports.instances.entries()) {
      keep(index + 1, port, `http://localhost:${proxy}`);
      await whenReady(port);
    }
    const configuration = await writeConfiguration(directory, ports);
    const front = start('nginx', nginx, [
      '-p',
      directory,
      '-c',
      configuration,
      '-e',
      'stderr',
      '-g',
      'daemon off;',
    ]);
    await whenReady(proxy);
    say(`ready at http://localhost:${proxy}`);
    await new Promise((resolve) => front.once('exit', resolve));
  } finally {
    stop();
    while (children.size > 0) await sleep(50);
    await rm(directory, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  const isForOperator = error instanceof ClusterError || error instanceof TypeError;
  process.stderr.write(
    `${isForOperator ? error.message : (error instanceof Error && error.stack) || error}\n`,
  );
  process.exitCode = 1;
});
