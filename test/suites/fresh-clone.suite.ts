/**
 * The commands of the README and of the guide for operators, on a fresh clone of the last commit, with each
 * supported Node: the oldest one, whose npm installs the one that the server needs, and that one itself.
 * npm run suites
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { signIn } from '../faults/client.ts';
import { freePort, ROOT, waitUntil } from '../support/process.ts';

vi.setConfig({ testTimeout: 600_000 });

const run = promisify(execFile);

/** Milliseconds for a start after an installation with cold caches. */
const START = 120_000;

/** The folders of programs, without those of this repository's packages. */
const folders = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'));

/** The folder on this machine with a Node of a major version. */
const folderOf = (major: number): string | undefined =>
  [dirname(process.execPath), ...folders].find((folder) => {
    try {
      const version = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' });
      return version.startsWith(`v${major}.`);
    } catch {
      return false;
    }
  });

/**
 * Variables for the machine, its network and its packages. Settings of the server, such as DATABASE_URL, are
 * not included.
 */
const OF_THE_MACHINE =
  /^(HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|npm_config_.*|(https?|all|no)_proxy)$/i;

/** The environment of a reader's shell: nothing of this test run, and packages from the cache where possible. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_MACHINE.test(name))),
  PATH: [folder, ...folders].join(delimiter),
  npm_config_prefer_offline: 'true',
  HOST: '127.0.0.1',
});

/** The commands of a document, each found by its pattern. */
function commandsOf(file: string, ...patterns: readonly RegExp[]): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return patterns.map((pattern) => {
    const command = pattern.exec(text)?.[1];
    if (command === undefined) throw new Error(`${file} has no command like ${pattern}.`);
    return command;
  });
}

const [install = '', start = ''] = commandsOf('README.md', /^(npm ci)$/m, /^(npm start)$/m);
const [installProduction = '', serve = '', makeKeys = ''] = commandsOf(
  'docs/operation.md',
  /^\$ (npm ci --omit=dev)$/m,
  /^\$ (NODE_ENV=production .* node bin\/portico\.js serve)$/m,
  /^(npm run -s portico -- keys create)$/m,
);

/** A clone of the last commit in a temporary folder, with the processes started there. */
class Clone {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #running: ChildProcess | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  static async make(env: NodeJS.ProcessEnv): Promise<Clone> {
    const folder = await mkdtemp(join(tmpdir(), 'portico-clone-'));
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, folder]);
    return new Clone(folder, env);
  }

  /** @returns the output of the command. */
  async shell(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, maxBuffer: 1 << 24 };
    return (await run('bash', ['-c', command], options)).stdout;
  }

  /** Starts a server by a command. @returns its URL once it is ready. */
  async launch(command: string): Promise<string> {
    const port = await freePort();
    // A process group, so that processes started by npm are killed with it.
    const child = spawn('bash', ['-c', command], {
      cwd: this.folder,
      env: { ...this.#env, PORT: String(port) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    const url = `http://127.0.0.1:${port}`;
    const isReady = async () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.\n${output}`);
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;
    };
    await waitUntil(isReady, `the server to be ready after ${command}`, START, 100);
    return url;
  }

  async stop(): Promise<void> {
    const child = this.#running;
    this.#running = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const ended = once(child, 'close');
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Whether the clones install their packages. Otherwise they link those of this repository. */
const installs = process.env['CLONES'] === 'all';

const link = `mkdir node_modules && ln -s ${ROOT}node_modules/* ${ROOT}node_modules/.bin node_modules`;

/** Follows the README. */
async function tryOut(clone: Clone): Promise<void> {
  await clone.shell(installs ? install : link);
  // Nothing is compiled, whatever this machine could compile.
  expect(await clone.shell('find -L node_modules -path "*/build/config.gypi"')).toBe('');
  const url = await clone.launch(start);
  const token = await signIn(url);
  const response = await fetch(`${url}/v1/orders/1`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  // Neither of them changes tracked files, such as the lockfile.
  expect(await clone.shell('git status --porcelain')).toBe('');
  await clone.stop();
}

/** Follows the guide for operators. */
async function produce(clone: Clone): Promise<void> {
  await rm(join(clone.folder, 'data'), { recursive: true, force: true });
  await clone.shell(installProduction);
  await clone.shell(makeKeys, { AUTH_KEYS_FILE: 'data/keys.json' });
  const url = await clone.launch(serve);
  // There is no demo data.
  await expect(signIn(url)).rejects.toThrow('401');
}

/**
 * Follows the README with the oldest Node, whose npm starts the one that the server needs, and with the packages of this repository:
 * `.ci/run` installs them by the same command, with the Node of its machine. `CLONES=all` installs them in each clone, and follows both
 * guides with both: the tests of guides and of production cover most of the rest.
 */
const WALKS = installs
  ? [
      { major: 20, walks: [tryOut, produce] },
      { major: 24, walks: [tryOut, produce] },
    ]
  : [{ major: 20, walks: [tryOut] }];

test.concurrent.for(WALKS)('a fresh clone, with Node $major', async ({ major, walks }, { skip }) => {
  const folder = folderOf(major) ?? skip(`this machine has no Node ${major}`);
  const clone = await Clone.make(environment(folder));
  try {
    expect(await clone.shell('node --version')).toMatch(new RegExp(`^v${major}\\.`));
    for (const walk of walks) await walk(clone);
  } finally {
    await clone.remove();
  }
});
