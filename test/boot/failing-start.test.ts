/** Starts that fail: each reports an actionable reason, and exits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadKeys } from '../../src/auth/keys.ts';
import { systemClock } from '../../src/core/clock.ts';
import { reasonOf } from '../../src/core/failure.ts';
import { migrate } from '../../src/db/open.ts';
import { describeEachEngine } from '../support/engines.ts';
import { freePort, manageServers, ROOT, SETTINGS, waitUntil } from '../support/process.ts';

const servers = manageServers();

/** Milliseconds after which a process that cannot start has given up waiting for a response. */
const GIVE_UP = 20_000;

/** Milliseconds between the message and the exit: less than the idle timeout of connections to PostgreSQL. */
const PROMPT = 8000;

const STACK = /^ +at /m;

/** The program of `npm start`, with its arguments. */
async function startScript(): Promise<[string, ...string[]]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return scripts.start.replace(/^exec node /, '').split(' ');
}

describe('bad settings', () => {
  test('are all reported together, and nothing else, such as that there is no file .env', async () => {
    const server = await servers.launch({
      program: await startScript(),
      env: {
        PORT: '70000',
        LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://db/portico',
        DATABASE_POOL: '0',
        PUBLIC_URL: 'ftp://portico.test',
        TRUST_PROXY: 'maybe',
        DEMO: 'yes',
        NODE_ENV: 'production',
      },
    });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stdout).toBe('');
    expect(server.stderr).toBe(`Portico cannot start: Some settings are invalid:
  - DEMO must be on or off (or 1 or 0), not "yes"
  - PORT must be a whole number from 0 to 65535, not "70000"
  - PUBLIC_URL must be an http or https URL without query or fragment, not "ftp://portico.test"
  - TRUST_PROXY must be the number of proxies in front, or a list of their addresses, not "maybe"
  - DATABASE_URL must begin with file: or postgres://, and have a path, or valid hosts and ports
  - DATABASE_POOL must be a whole number from 1 to 1000, not "0"
  - AUTH_KEYS_FILE is required in production: the private JWKS that signs access tokens
  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"
`);
  });
});

describe('a file .env', () => {
  test.each([
    ['npm start', ['src/main.ts']],
    ['portico serve', ['bin/portico.js', 'serve']],
  ] as const)('gives %s the settings that the environment lacks', async (_name, program) => {
    const directory = await servers.directory();
    await writeFile(join(directory, '.env'), 'PORT=of-the-file\nDATABASE_POOL=of-the-file\n');
    const server = await servers.launch({ env: { PORT: '70000' }, directory, program });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain('not "70000"');
    expect(server.stderr).toContain('DATABASE_POOL must be a whole number from 1 to 1000, not "of-the-file"');
  });

  const MIGRATE = { program: ['bin/portico.js', 'migrate'] } as const;

  test('may begin with a byte order mark', async () => {
    const directory = await servers.directory();
    await writeFile(join(directory, '.env'), '\uFEFFDATABASE_POOL=of-the-file\r\n');
    const server = await servers.launch({ ...MIGRATE, directory });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain('DATABASE_POOL must be a whole number from 1 to 1000, not "of-the-file"');
  });

  test('that cannot be read ends every program with the reason', async () => {
    const directory = await servers.directory();
    // The superuser can read every file, but no one a link to itself.
    await symlink('.env', join(directory, '.env'));
    const server = await servers.launch({ ...MIGRATE, directory });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/^The file \.env cannot be read: ELOOP.*\n$/);
  });

  test('is none if it is a directory, such as a virtual environment', async () => {
    const directory = await servers.directory();
    await mkdir(join(directory, '.env'));
    const server = await servers.launch({ ...MIGRATE, directory, env: { DATABASE_URL: 'file:a.db' } });
    expect(await server.ended()).toEqual({ code: 0, signal: null });
  });
});

test('scripts replace their shell, since npm signals only that, and it would end without its child', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  // Node waits for a debugger, so that it does not end before it was seen.
  const NODE_OPTIONS = '--inspect-brk=127.0.0.1:0';
  const child = spawn('sh', ['-c', `cd ${ROOT} && ${scripts.start}`], {
    env: { ...SETTINGS, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, NODE_OPTIONS },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // The process that npm signals is the one of the server.
  await waitUntil(
    async () => (await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).startsWith('node\0'),
    'the server',
  );
  const ofNode = Object.values<string>(scripts).filter((script) => /^(exec )?node /.test(script));
  expect(ofNode.filter((script) => !script.startsWith('exec '))).toEqual([]);
});

describe('a start that cannot listen', () => {
  // RFC 5737: no machine has it.
  const HOST = '192.0.2.1';

  test.each([
    ['HOST and PORT', { HOST }],
    ['HOST and METRICS', { HOST, METRICS: '9464' }],
    ['HOST', { HOST, PORT: '0' }],
  ])('names %s, and the reason', async (names, env) => {
    const port = String(await freePort());
    const output = await failedStart({ PORT: port, ...env });
    expect(output).toContain(`Portico cannot start: the server cannot listen: check ${names} (`);
    expect(output).toContain(HOST);
  });
});

describe('a start without its key file', () => {
  test('fails in production with a reason', async () => {
    const output = await failedStart({ NODE_ENV: 'production', AUTH_KEYS_FILE: 'secrets/keys.json' });
    expect(output).toContain(
      'the key file secrets/keys.json does not exist. Create it with "npx portico keys create"',
    );
  });

  test('does not claim that a file is missing which cannot be reached', async () => {
    const inFile = join(ROOT, 'package.json', 'keys.json');
    const output = await failedStart({ NODE_ENV: 'production', AUTH_KEYS_FILE: inFile });
    expect(output).toContain(`The key file ${inFile} cannot be read: ENOTDIR.`);
  });
});

// Without a process: the next suite has one whose database is refused.
describe('a path to something else', () => {
  const NOTES = 'These are some notes.\n';

  test.each([
    ['the key file', 'folder', /The key file \S+\/folder cannot be read: EISDIR/],
    ['the key file', 'notes.txt', /The key file \S+\/notes\.txt is not JSON/],
    ['the database', 'folder', /folder is not a file/],
    ['the database', 'notes.txt', /file is not a database/],
  ] as const)('as %s, %s, is refused and leaves it unchanged', async (what, path, reason) => {
    const directory = await servers.directory();
    await mkdir(join(directory, 'folder'));
    await chmod(join(directory, 'folder'), 0o1777);
    await writeFile(join(directory, 'notes.txt'), NOTES, { mode: 0o644 });
    const file = join(directory, path);
    const opening =
      what === 'the key file'
        ? loadKeys({ file, createWhenMissing: true, clock: systemClock, onReloadFailure: () => undefined })
        : migrate(`file:${file}`);
    await expect(opening).rejects.toThrow(reason);

    const modeOf = async (file: string) => ((await stat(join(directory, file))).mode & 0o7777).toString(8);
    expect([await modeOf('folder'), await modeOf('notes.txt')]).toEqual(['1777', '644']);
    expect(await readdir(join(directory, 'folder'))).toEqual([]);
    expect(await readFile(join(directory, 'notes.txt'), 'utf8')).toBe(NOTES);
    expect((await readdir(directory)).sort()).toEqual(['folder', 'notes.txt']);
  });
});

describeEachEngine(
  'a start on a port that is in use',
  (engine) => {
    engine.testConcurrent('reports it, and exits without waiting for its connections', async () => {
      const { url } = await engine.create('migrated');
      const { port } = await listenInSilence();
      const server = await servers.launch({ env: { DATABASE_URL: url, PORT: String(port) } });
      await waitUntil(() => server.stderr.includes('address already in use'), 'the message');
      const began = performance.now();
      expect(await server.ended()).toEqual({ code: 1, signal: null });
      expect(performance.now() - began).toBeLessThan(PROMPT);
      expect(server.stderr).toContain(`127.0.0.1:${port}`);
    });
  },
  // SQLite has no connections.
  'postgres',
);

describeEachEngine('a start whose database', (engine) => {
  if (engine.name === 'sqlite') {
    engine.testConcurrent('cannot be created reports it, and exits', async () => {
      const directory = await servers.directory();
      await writeFile(join(directory, 'notes.txt'), 'These are some notes.\n');
      const output = await failedStart({ DATABASE_URL: 'file:notes.txt/portico.db' }, directory);
      expect(output).toContain('notes.txt');
    });
    return;
  }

  engine.testConcurrent('does not exist on its server reports it, and exits', async () => {
    const url = new URL((await engine.create('bare')).url);
    url.password = 's3cret';
    url.pathname = '/portico_of_nobody';
    const output = await failedStart({ DATABASE_URL: url.href });
    expect(output).toContain('database "portico_of_nobody" does not exist');
  });

  engine.testConcurrent('accepts connections without responding reports it, and exits', async () => {
    const { port } = await listenInSilence();
    const output = await failedStart({ DATABASE_URL: `postgres://portico:s3cret@127.0.0.1:${port}/portico` });
    expect(output).toContain(`127.0.0.1:${port}`);
    expect(output).toContain('timeout');
  });
});

// Without a process, as the ones above have shown what is printed.
test('a database that is unreachable, or in a directory that is not writable, is refused with the reason', async () => {
  const port = await freePort();
  const reason = await migrate(`postgres://portico:s3cret@127.0.0.1:${port}/portico`).catch(reasonOf);
  expect(reason).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
  expect(reason).not.toContain('s3cret');
  // The advice for clients does not help an operator.
  expect(reason).not.toContain('Try again');
  await expect(migrate('file:/proc/portico/portico.db')).rejects.toThrow('/proc/portico');
});

/** @returns the output before the exit, which has no stack and no secret. */
async function failedStart(env: Readonly<Record<string, string>>, directory?: string): Promise<string> {
  const began = performance.now();
  const server = await servers.launch({ env, ...(directory && { directory }) });
  expect(await server.ended()).toEqual({ code: 1, signal: null });
  const waited = performance.now() - began;
  // On a busy machine, each process takes long.
  if (waited > GIVE_UP) expect(waited - GIVE_UP).toBeLessThan(5 * (await immediateFailure()));
  expect(server.stderr).not.toMatch(STACK);
  expect(server.stderr).not.toContain('s3cret');
  return server.stderr;
}

/** Milliseconds that a process takes at present to fail without waiting for a response. */
async function immediateFailure(): Promise<number> {
  const began = performance.now();
  const server = await servers.launch({ env: { PORT: '70000' } });
  await server.ended();
  return performance.now() - began;
}

/** A TCP server that accepts connections and never responds, until the end of the test. */
async function listenInSilence(): Promise<{ port: number }> {
  const sockets: Socket[] = [];
  const port = await freePort();
  const silent = createServer((socket) => sockets.push(socket)).listen(port, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  return { port };
}
