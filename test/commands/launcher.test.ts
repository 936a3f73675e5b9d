import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMPILED, freePort, manageServers, ROOT, waitUntil } from '../support/process.ts';

// Starts processes, which is slow on a shared machine.
const servers = manageServers();
const run = promisify(execFile);
const LAUNCHER = join(ROOT, 'bin/portico.js');

/** Options of `unshare` to run a program as the first process of its own process namespace. */
const FIRST_PROCESS = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'];

const canUnshare = spawnSync('unshare', [...FIRST_PROCESS, 'true']).status === 0;

/** Another Node on this machine that is too old for the server, if any. */
const older = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) < 24;
});

describe('the launcher', () => {
  test('passes on the output of a command and its exit code', async () => {
    const { stdout } = await run(process.execPath, [LAUNCHER, 'schema', '--help']);
    expect(stdout).toContain('Usage: portico schema');
    const refused = run(process.execPath, [LAUNCHER, 'schema', '--no-such-option']);
    await expect(refused).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown option'),
    });
  });

  test('ends quietly, as by SIGPIPE, if its output is not read', async () => {
    const child = spawn(process.execPath, [LAUNCHER, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    // Before the first write, so that every write fails.
    child.stdout.destroy();
    const errors = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([141, null]);
    expect(await errors).toBe('');
  });

  test('serves until it is stopped', async () => {
    const port = await freePort();
    const child = execFile(process.execPath, [LAUNCHER, 'serve'], {
      cwd: await servers.directory(),
      env: { ...COMPILED, PORT: String(port), HOST: '127.0.0.1', DEMO: '0' },
    });
    const responses = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(responses, 'the server to be ready');
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test.skipIf(!canUnshare).each([
    ['TERM', 143],
    ['INT', 130],
  ])('as the first process of a container, ends by SIG%s before the server runs', async (signal, code) => {
    // It accepts connections and never responds, so that the server cannot start.
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const child = execFile('unshare', [...FIRST_PROCESS, process.execPath, LAUNCHER, 'serve'], {
      cwd: await servers.directory(),
      env: { ...COMPILED, DATABASE_URL: `postgres://127.0.0.1:${port}/portico` },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const end = once(child, 'exit');
    // Repeated, since Node itself is not ready for signals at once.
    await waitUntil(() => {
      spawnSync('pkill', [`-${signal}`, '-P', String(child.pid)]);
      return child.exitCode !== null;
    }, 'the launcher to end');
    expect(await end).toEqual([code, null]);
  });

  test('starts the installed Node', async ({ skip }) => {
    skip(older === undefined, 'this machine has no Node that is too old');
    const { stdout } = await run(older ?? '', [LAUNCHER, 'keys', '--help']);
    expect(stdout).toContain('Usage: portico keys');
    const refused = run(older ?? '', [LAUNCHER, 'frobnicate']);
    await expect(refused).rejects.toMatchObject({ code: 2 });
  });

  test('reports what is missing without the installed Node', async ({ skip }) => {
    skip(older === undefined, 'this machine has no Node that is too old');
    const directory = await servers.directory();
    await mkdir(join(directory, 'bin'));
    await copyFile(LAUNCHER, join(directory, 'bin/portico.js'));
    await copyFile(join(ROOT, 'package.json'), join(directory, 'package.json'));
    await symlink(join(ROOT, 'src'), join(directory, 'src'));
    const refused = run(older ?? '', [join(directory, 'bin/portico.js'), 'migrate']);
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Portico needs Node 24 or later, and this is v\d+\..* Run "npm ci"/),
    });
  });
});
