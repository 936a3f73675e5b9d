import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { passMetrics } from '../../src/cluster/workers.ts';
import { BusyClient, Connection, signIn, storedOrders } from '../faults/client.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { startSilentServer } from '../support/mail-server.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { Authority } from '../support/tls.ts';

const servers = manageServers();

const CLIENTS = 16;

/** The advisory lock of migrations. */
const MIGRATION_LOCK = 7_678_426;

const program = ['bin/portico.js', 'serve', '--workers', '2'] as const;

const isThere = (pid: number) => spawnSync('ps', ['-p', String(pid)]).status === 0;

/** The child processes of a server. */
const workersOf = ({ pid }: ServerProcess): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

describeEachEngine(
  'workers that share a port',
  (engine) => {
    const shared = manageServers(afterAll);
    let place: TestDatabase;
    let server: ServerProcess | undefined;

    /** The running server, which each test leaves with two workers, or a new one. */
    const running = async () => {
      place ??= await engine.create('demo');
      server ??= await shared.start({ program, env: { DATABASE_URL: place.url } });
      await bothServe(server);
      return { place, server, token: await signIn(server.url) };
    };

    engine.testConcurrent('both serve, and each shows the metrics of both', async () => {
      const { server } = await running();
      expect(workersOf(server)).toHaveLength(2);
      const metrics = await metricsOfBoth(server.url);
      expect(metrics.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
    });

    engine.testConcurrent(
      'do not share it with another server, which would get a part of the requests',
      async () => {
        const { place, server } = await running();
        const env = { DATABASE_URL: place.url, PORT: new URL(server.url).port };
        const second = await servers.launch({ program, env });
        expect(await second.ended()).toEqual({ code: 1, signal: null });
        expect(second.stderr).toMatch(/^The workers cannot listen: check HOST, PORT, .*EADDRINUSE/);
        expect(workersOf(server)).toHaveLength(2);
      },
    );

    engine.testConcurrent('share it with another server if that is set', async () => {
      const { url } = await engine.create('demo');
      const env = { DATABASE_URL: url, PORT_SHARING: 'on' };
      const other = await servers.start({ env });
      const second = await servers.launch({ program, env: { ...env, PORT: new URL(other.url).port } });
      await waitUntil(() => second.stderr.includes('listen'), 'the start or its failure');
      expect(second.stderr).toContain('2 workers are listening');
    });

    engine.testConcurrent('one that is killed is replaced, while the other serves', async () => {
      const { server } = await running();
      const before = workersOf(server);
      process.kill(before[0] ?? 0, 'SIGKILL');
      // Connections of the killed worker are closed, and the other accepts every new one.
      await waitUntil(() => !workersOf(server).includes(before[0] ?? 0), 'the worker to end');
      for (let request = 0; request < 50; request += 1) {
        const client = new Connection(server.url, '');
        expect((await client.send('GET', '/healthz')).status).toBe(200);
        client.close();
      }
      await waitUntil(() => workersOf(server).length === 2, 'another worker');
      expect(server.stderr).toContain('ended (SIGKILL) and will be restarted');
      await bothServe(server);
    });

    engine.testConcurrent('all stop gracefully: each pending request gets its response', async () => {
      const { place, server: leaving, token } = await running();
      server = undefined;
      const clients = Array.from({ length: CLIENTS }, () => new BusyClient(leaving.url, token));
      const runs = clients.map((client) => client.run());
      await waitUntil(() => clients.every(({ served }) => served > 3), 'all clients to be served');
      expect(await leaving.end('SIGTERM')).toEqual({ code: 0, signal: null });
      await Promise.all(runs);
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
      const placed = clients.flatMap((client) => client.placed).sort((a, b) => a - b);
      expect((await storedOrders(place)).map(({ id }) => id)).toEqual(placed);
    });

    engine.testConcurrent('that do not stop gracefully are reported', async () => {
      const { server: leaving } = await running();
      server = undefined;
      // A worker that does not respond to any signal is killed.
      const [stuck = 0] = workersOf(leaving);
      process.kill(stuck, 'SIGSTOP');
      leaving.signal('SIGTERM');
      await waitUntil(() => workersOf(leaving).length === 1, 'the other worker to end');
      process.kill(stuck, 'SIGKILL');
      expect(await leaving.ended()).toEqual({ code: 1, signal: null });
      expect(leaving.stderr).toMatch(/These workers did not complete their work: [12]\./);
    });

    engine.testConcurrent('stop when their parent process is killed', async () => {
      const { server } = await running();
      const orphans = workersOf(server);
      server.signal('SIGKILL');
      await waitUntil(() => !orphans.some(isThere), 'the workers to end');
    });

    engine.testConcurrent('stop when their parent process was killed while they started', async () => {
      const { url: DATABASE_URL } = await engine.create('bare');
      const operator = new pg.Client(DATABASE_URL);
      await operator.connect();
      // The first worker waits, as while another instance migrates.
      await operator.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const server = await servers.launch({ program, env: { DATABASE_URL } });
      const migrating = `select from pg_stat_activity where datname = current_database() and application_name = 'portico-migrate'`;
      await waitUntil(
        async () => (await operator.query(migrating)).rowCount === 1,
        'the first worker to migrate',
      );
      const [orphan = 0] = workersOf(server);
      server.signal('SIGKILL');
      await waitUntil(() => !isThere(server.pid), 'the parent process to end');
      await operator.end();
      await waitUntil(() => !isThere(orphan), 'the worker to end').finally(
        () => isThere(orphan) && process.kill(orphan, 'SIGKILL'),
      );
    });

    engine.testConcurrent('that cannot be started are tried again, while the others serve', async () => {
      const [{ url: DATABASE_URL }, directory] = [await engine.create('demo'), await servers.directory()];
      const [folder, moved] = [join(directory, 'bin'), join(directory, 'moved')];
      await mkdir(folder);
      const node = join(folder, 'node');
      await copyFile(process.execPath, node, constants.COPYFILE_FICLONE);
      const server = await servers.start({ program, node, env: { DATABASE_URL } });
      await bothServe(server);

      // Node reports this failure as an event.
      await rename(folder, moved);
      process.kill(workersOf(server)[0] ?? 0, 'SIGKILL');
      await waitUntil(() => server.stderr.includes('ENOENT'), 'a failed start');
      // Node throws this one.
      await writeFile(folder, '');
      await waitUntil(() => server.stderr.includes('ENOTDIR'), 'another failed start');
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

      await rm(folder);
      await rename(moved, folder);
      await waitUntil(() => workersOf(server).length === 2, 'another worker');
      await bothServe(server);
    });

    engine.testConcurrent(
      'reload their TLS files on SIGHUP, also without a certificate of their own',
      async () => {
        const { url: DATABASE_URL } = await engine.create('demo');
        const { caFile } = await Authority.found(await servers.directory());
        const certificates = { MTLS_CA_FILE: caFile, CLIENT_CERT_HEADER: 'rfc9440', TRUST_PROXY: '10.0.0.1' };
        const server = await servers.start({ program, env: { DATABASE_URL, ...certificates } });
        await bothServe(server);
        // Without a handler, the first signal would end the process.
        server.signal('SIGHUP');
        expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
        expect(server.stderr).not.toContain('restarted');
      },
    );

    engine.testConcurrent('show the URL of a port that the system has assigned', async () => {
      const { url: DATABASE_URL } = await engine.create('demo');
      const server = await servers.launch({ program, env: { DATABASE_URL, PORT: '0' } });
      await waitUntil(() => server.stderr.includes('workers are listening'), 'the workers');
      const [, port] =
        /listening on 127\.0\.0\.1:(\d+), public URL http:\/\/localhost:\1$/m.exec(server.stderr) ?? [];
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      // Each of them: the second one would not have metrics yet if it were still starting.
      await metricsOfBoth(`http://127.0.0.1:${port}`);
    });
  },
  'postgres',
);

/** Reads the metrics until they include those of both workers: a busy one is left out. */
async function metricsOfBoth(url: string): Promise<string> {
  let metrics = '';
  await waitUntil(async () => {
    metrics = await (await fetch(`${url}/metrics`)).text();
    return [1, 2].every((worker) => metrics.includes(`\nprocess_cpu_seconds_total{worker="${worker}"} `));
  }, 'the metrics of both');
  return metrics;
}

/** Resolves when both workers have responded to requests. */
async function bothServe({ url }: ServerProcess): Promise<void> {
  await waitUntil(async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
    const served = [...text.matchAll(/^portico_http_requests_total\{.*worker="(\d+)"\}/gm)];
    return new Set(served.map(([, worker]) => worker)).size === 2;
  }, 'both workers to serve');
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'workers that %s stops while the first one starts do not report that they listen',
  async (signal) => {
    const silent = await startSilentServer();
    const database = silent.url.replace('smtp:', 'postgres:');
    const server = await servers.launch({ program, env: { DATABASE_URL: `${database}/portico` } });
    await waitUntil(() => workersOf(server).length === 1, 'the first worker');
    // A terminal sends SIGINT to all processes.
    if (signal === 'SIGINT') for (const worker of workersOf(server)) process.kill(worker, signal);
    expect(await server.end(signal)).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain('listening');
    await silent.close();
  },
);

test('a request to a worker that has just died is no error of the process that started it', async () => {
  const worker = spawn(process.execPath, ['-e', 'process.on("message", () => {})'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const errors: unknown[] = [];
  worker.on('error', (error) => errors.push(error));
  await once(worker, 'spawn');
  worker.kill('SIGKILL');
  // The end of the worker is not yet known: nothing else runs meanwhile.
  while (!/^Z/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(worker.pid)], { encoding: 'utf8' }).stdout));
  passMetrics(worker, () => [[1, worker]]);
  worker.emit('message', { kind: 'collect', id: 1 });
  await once(worker, 'exit');
  expect(errors).toEqual([]);
});

test('workers are refused with SQLite, where several processes would write to one file', async () => {
  const server = await servers.launch({ program, env: { DATABASE_URL: 'file:data/portico.db' } });
  expect(await server.ended()).toEqual({ code: 1, signal: null });
  expect(server.stderr).toContain('Several workers need PostgreSQL');
});
