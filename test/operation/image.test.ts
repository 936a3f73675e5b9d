import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { COMPILED, manageServers, ROOT } from '../support/process.ts';

// Starts processes, which is slow on a shared machine.
const servers = manageServers();
const read = (file: string) => readFile(join(ROOT, file), 'utf8');

describe('the image', () => {
  test('has the Node version of the tests', async () => {
    const { packages } = JSON.parse(await read('package-lock.json'));
    const [, version] = /^ARG NODE_VERSION=(\S+)$/m.exec(await read('Dockerfile')) ?? [];
    expect(version).toBe(packages['node_modules/node'].version);
  });

  test('has all files that the server needs to start in production', async () => {
    const root = await servers.directory();
    for (const file of await copied()) await cp(join(ROOT, file), join(root, file), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const NODE_COMPILE_CACHE = join(root, 'compiled');
    const env = { NODE_ENV: 'production', DATABASE_URL: `file:${root}/data/portico.db`, NODE_COMPILE_CACHE };
    // Runs the commands of the build after it has copied them.
    const [, script = ''] = / su node -c "node (\S+)"/.exec(await read('Dockerfile')) ?? [];
    const built = spawnSync(process.execPath, [join(root, script)], { env, encoding: 'utf8' });
    expect(built).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(NODE_COMPILE_CACHE)).toBe(true);
    const keys = join(root, 'data/keys.json');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'bin/portico.js'), ...args], {
        env: { ...COMPILED, ...env, AUTH_KEYS_FILE: keys },
        encoding: 'utf8',
      });
    expect(run('keys', 'create')).toMatchObject({ status: 0, stderr: '' });
    expect(run('keys', 'create').stdout).toMatch(/already exists and is unchanged/);
    const server = await servers.start({ root, directory: root, env: { ...env, AUTH_KEYS_FILE: keys } });
    expect((await fetch(`${server.url}/docs/versions`)).status).toBe(200);
    expect(server.stderr).toBe('');
  });

  test('leaves out files that its build does not copy', async () => {
    const kept = (await read('.dockerignore')).split('\n').filter((line) => line.startsWith('!'));
    const needed = [...(await copied()), 'package-lock.json', '.npmrc'];
    expect(kept.map((line) => line.slice(1)).sort()).toEqual([...new Set(needed)].sort());
  });

  test('runs as an unprivileged user with a health check', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile.indexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '));
    expect(dockerfile).toMatch(
      /^HEALTHCHECK .*\\\n {2}CMD \["node", "\/app\/bin\/portico.js", "healthcheck"\]$/m,
    );
  });

  /** The files that the last stage copies from the repository. A licence is copied if there is one. */
  async function copied(): Promise<string[]> {
    const [, last = ''] = (await read('Dockerfile')).split(/^FROM .*$(?![\s\S]*^FROM )/m);
    return [...last.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      .flatMap(([, sources = '']) => sources.split(' '))
      .filter((source) => !source.includes('*'));
  }
});

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: unknown;
}
type Services = Readonly<Record<string, Service>>;

/** The services of several compose files, merged as compose merges them. */
async function servicesOf(...files: readonly string[]): Promise<Services> {
  const merged: Record<string, Service> = {};
  for (const file of files) {
    const { services } = parse(await read(file), { merge: true }) as { readonly services: Services };
    for (const [name, service] of Object.entries(services)) {
      const before = merged[name];
      merged[name] = {
        ...before,
        ...service,
        environment: { ...before?.environment, ...service.environment },
        depends_on: { ...before?.depends_on, ...service.depends_on },
        volumes: [...(before?.volumes ?? []), ...(service.volumes ?? [])],
      };
    }
  }
  return merged;
}

/** Expands `${NAME:-default}` and `${NAME:?reason}` as compose does. */
const filledIn = (value: string) =>
  value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, _name, kind, rest) => (kind === '-' ? rest : 'secret'));

const hosts = ['postgres', 'postgres-2', 'postgres-3'];

describe.each([
  {
    files: ['compose.yaml'],
    config: {
      database: { url: 'postgres://portico:secret@postgres:5432/portico' },
      redis: { url: 'redis://redis:6379' },
    },
  },
  {
    files: ['compose.yaml', 'deploy/compose.cluster.yaml'],
    config: {
      database: {
        url: `postgres://portico:secret@${hosts.map((host) => `${host}:5432`).join()}/portico`,
        replicaUrls: hosts.map((host) => `postgres://portico:secret@${host}/portico`),
      },
      redis: { url: 'redis+sentinel://sentinel-1:26379,sentinel-2:26379,sentinel-3:26379/portico' },
    },
  },
])('$files', ({ files, config }) => {
  test('runs two instances with existing settings, on PostgreSQL and Redis', async () => {
    const { 'portico-1': one, 'portico-2': two, prepare } = await servicesOf(...files);
    expect(one).toEqual(two);
    const settings = Object.fromEntries(
      Object.entries(one?.environment ?? {}).map(([name, value]) => [name, filledIn(value)]),
    );
    const documented = await read('docs/configuration.md');
    for (const name of Object.keys(settings)) expect(documented).toContain(`| \`${name}\` |`);
    expect(loadConfig({ ...settings, NODE_ENV: 'production' })).toMatchObject({
      ...config,
      http: { trustProxy: 1 },
    });
    expect(prepare?.environment).toEqual(one?.environment);
    const named = [settings['DATABASE_URL'], settings['DATABASE_REPLICA_URLS'], settings['REDIS_URL']].join();
    for (const [, host] of named.matchAll(
      /[@,/](?:portico:secret@)?((?:postgres|redis|sentinel)[-\d]*)[:/]/g,
    ))
      expect(Object.keys(await servicesOf(...files))).toContain(host);
  });

  test('starts every service after its dependencies are healthy', async () => {
    const all = await servicesOf(...files);
    for (const { depends_on: needed = {} } of Object.values(all)) {
      for (const [name, { condition }] of Object.entries(needed)) {
        const isOwn = name.startsWith('portico-');
        if (condition === 'service_healthy' && !isOwn) expect(all[name]).toHaveProperty('healthcheck');
      }
    }
  });

  test('uses versioned images and existing files', async () => {
    const all = await servicesOf(...files);
    for (const [name, { image, volumes = [] }] of Object.entries(all)) {
      if (image !== 'portico') expect(image, name).toMatch(/:\d/);
      for (const [file = ''] of volumes.map((volume) => volume.split(':')))
        if (file.startsWith('.')) expect(existsSync(join(ROOT, file)), file).toBe(true);
    }
  });
});

test.each(['primary.sh', 'replica.sh'])('deploy/compose/%s is valid for sh', (script) => {
  const { status, stderr } = spawnSync('sh', ['-n', join(ROOT, 'deploy/compose', script)], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('deploy/nginx.conf', () => {
  test('is valid for nginx', async ({ skip }) => {
    const nginx = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);
    skip(nginx === undefined, 'there is no nginx on this machine');
    const directory = await servers.directory();
    const file = join(directory, 'conf/nginx.conf');
    await mkdir(dirname(file), { recursive: true });
    // The names of the containers resolve only beside them, and nginx before 1.27.3 cannot look them up again.
    const given = (await read('deploy/nginx.conf')).replaceAll('/tmp/portico-nginx', `${directory}/nginx`);
    await writeFile(file, given.replaceAll(/server portico-\d:(\d+) resolve/g, 'server 127.0.0.1:$1'));
    const { status, stderr } = spawnSync(nginx ?? '', ['-t', '-p', directory, '-c', file, '-e', 'stderr'], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('test is successful');
    expect(status).toBe(0);
  });
});
