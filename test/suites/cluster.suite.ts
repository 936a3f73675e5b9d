import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { findPostgres } from '../../deploy/postgres.ts';
import { describeEachEngine } from '../support/engines.ts';
import { freePort, manageServers, ROOT, SETTINGS, waitUntil } from '../support/process.ts';

const servers = manageServers();

const hasNginx = ['nginx', '/usr/sbin/nginx'].some((path) => spawnSync(path, ['-v']).status === 0);

/** The number of instances, and of PostgreSQL servers, HAProxy and Redis, which have successive ports. */
const INSTANCES = 2;
const DATABASES = 5;

interface Cluster {
  readonly url: string;
  /** The addresses of the instances. */
  readonly instances: readonly string[];
  /** The current process id for a name such as `instance 1`. */
  pid(name: string): number;
  readonly output: string;
  readonly child: ChildProcess;
}

async function startCluster(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Cluster> {
  const [port, first] = [await freePort(), await freePort(INSTANCES)];
  const addresses = ['--port', String(port), '--first-instance', String(first)];
  const child = spawn(process.execPath, [join(ROOT, 'deploy/cluster.ts'), ...addresses, ...args], {
    env: { ...SETTINGS, PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`The cluster ended.\n${output}`);
    return output.includes('cluster: ready at');
  }, 'the cluster to be ready');
  return {
    url: `http://127.0.0.1:${port}`,
    instances: [`http://127.0.0.1:${first}`, `http://127.0.0.1:${first + 1}`],
    pid: (name) =>
      Number([...output.matchAll(new RegExp(`${name}\\b.* has process (\\d+)`, 'g'))].at(-1)?.[1]),
    get output() {
      return output;
    },
    child,
  };
}

const asJson = { 'content-type': 'application/json' };

async function signIn(url: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email: 'ada@acme.test', password: 'portico-demo' });
  const response = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers: asJson, body });
  expect(response.status).toBe(200);
  const { access_token } = (await response.json()) as { access_token: string };
  return { ...asJson, authorization: `Bearer ${access_token}` };
}

async function place(url: string, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ items: [{ product_id: 1, qty: 1 }] });
  const response = await fetch(`${url}/v1/users/1/orders`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

const hasDatabases =
  (await findPostgres()) !== undefined && spawnSync('redis-server', ['--version']).status === 0;

test.skipIf(!hasNginx || !hasDatabases)(
  'a cluster survives the loss of its primary, and leaves nothing behind',
  async () => {
    const directory = await servers.directory();
    // PostgreSQL runs as another system user.
    await chmod(directory, 0o755);
    const args = ['--replicas', '2', '--first-database', String(await freePort(DATABASES))];
    const cluster = await startCluster({ TMPDIR: directory }, args);
    const headers = await signIn(cluster.url);
    const placed = [await place(cluster.url, headers)];

    process.kill(cluster.pid('PostgreSQL db1'), 'SIGKILL');
    await waitUntil(
      () =>
        place(cluster.url, headers).then(
          (id) => placed.push(id) > 0,
          () => false,
        ),
      'the promoted replica to accept writes',
    );
    await waitUntil(() => cluster.output.includes('PostgreSQL db1 is a replica'), 'the former primary');
    for (const id of placed) {
      for (const url of cluster.instances) {
        // HAProxy may lead to the former primary until two health checks have failed.
        const isThere = async () => {
          const { status } = await fetch(`${url}/v1/orders/${id}`, { headers });
          expect([200, 503]).toContain(status);
          return status === 200;
        };
        await waitUntil(isThere, `order ${id} at ${url}`, undefined, 100);
      }
    }

    const names = ['instance 1', 'instance 2', 'Redis', 'PostgreSQL db1', 'PostgreSQL db2', 'PostgreSQL db3'];
    const pids = names.map((name) => cluster.pid(name));
    cluster.child.kill('SIGTERM');
    const [code] = await once(cluster.child, 'exit');
    expect(code).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await readdir(directory)).toEqual([]);
  },
);

describe.skipIf(!hasNginx)('with nginx on this machine', () =>
  describeEachEngine(
    'two instances behind nginx',
    (engine) => {
      engine.testConcurrent('are one service, which survives the loss of either', async () => {
        const database = await engine.create('bare');
        const redis = inject('redis');
        const cluster = await startCluster({
          DATABASE_URL: database.url,
          AUTH_KEYS_FILE: join(await servers.directory(), 'keys.json'),
          ...('url' in redis && { REDIS_URL: redis.url }),
        });
        const headers = await signIn(cluster.url);

        // Both have the orders placed through the proxy, on whichever instance.
        for (const id of [await place(cluster.url, headers), await place(cluster.url, headers)]) {
          for (const url of [cluster.url, ...cluster.instances]) {
            expect((await fetch(`${url}/v1/orders/${id}`, { headers })).status).toBe(200);
          }
        }
        // Both have served requests, and the proxy does not expose their metrics.
        expect((await fetch(`${cluster.url}/metrics`)).status).toBe(404);
        const logins = await Promise.all(
          cluster.instances.map(async (url) => (await fetch(`${url}/metrics`)).text()),
        );
        for (const text of logins) expect(text).toContain('portico_http_requests_total');

        const killed = cluster.pid('instance 1');
        process.kill(killed, 'SIGKILL');
        for (let n = 0; n < 20; n += 1) {
          expect((await fetch(`${cluster.url}/v1/orders/1`, { headers })).status).toBe(200);
        }
        const placed = await place(cluster.url, headers);
        await waitUntil(() => cluster.pid('instance 1') !== killed, 'the instance to be started again');
        const [first = ''] = cluster.instances;
        const again = () =>
          fetch(`${first}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
        await waitUntil(again, 'the instance to be ready again');
        expect((await fetch(`${first}/v1/orders/${placed}`, { headers })).status).toBe(200);

        cluster.child.kill('SIGTERM');
        const [code] = await once(cluster.child, 'exit');
        expect(code).toBe(0);
        for (const url of [cluster.url, ...cluster.instances]) await expect(fetch(url)).rejects.toThrow();
      });
    },
    'postgres',
  ),
);
