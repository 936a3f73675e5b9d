/** Runs the server as a separate process, as an operator does, and ends it after the test, even if the test fails. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type afterAll, afterEach, inject } from 'vitest';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** By the file that tests start: its source, and the name of its bundle. */
export const PROGRAMS: Readonly<Record<string, { readonly name: string; readonly source: string }>> = {
  'src/main.ts': { name: 'main', source: 'src/main.ts' },
  'bin/portico.js': { name: 'cli', source: 'src/cli/main.ts' },
  'test/faults/charging-server.ts': { name: 'charging', source: 'test/faults/charging-server.ts' },
};

/** The environment variable that passes the folder to workers. */
export const BUNDLE = 'TEST_BUNDLE';

/** Returns the bundle of a program in this run; undefined if it is not bundled. */
export function bundled(program: string): string | undefined {
  const folder = process.env[BUNDLE];
  const known = PROGRAMS[program];
  return folder && known ? join(folder, `${known.name}.mjs`) : undefined;
}

/** Milliseconds within which a process must start or end, also on a busy machine. */
const TIMEOUT = 120_000;

/** Milliseconds between two checks of a condition. */
const POLL_INTERVAL = 10;

/** Milliseconds between two checks whether a server is ready. A start takes a second, and frequent checks would slow it down. */
const READY_POLL_INTERVAL = 50;

interface LaunchOptions {
  /** The settings. The environment of this process is not inherited. PORT is a free port by default. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The working directory, in which the server creates `data/`. By default a new one, in which the server finds the demo data: it would take
   * a quarter of the time of a start to create them.
   */
  readonly directory?: string;
  /** The program with its arguments; by default the server. */
  readonly program?: readonly [string, ...string[]];
  /** The executable of Node; by default that of this process. */
  readonly node?: string;
  /** Another copy of the repository. */
  readonly root?: string;
  /** Whether to run the source files instead of the bundle. */
  readonly fromSource?: boolean;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process of the server. */
export class ServerProcess {
  readonly port: number;
  readonly url: string;
  /** Resolves when the process has ended and all of its output was read. */
  readonly exit: Promise<Exit>;
  #ended = false;
  #stdout = '';
  #stderr = '';
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.exit = once(child, 'close').then(([code, signal]) => {
      this.#ended = true;
      return { code, signal };
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The output so far. */
  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until the server is ready. @throws Error with its output if it exits or is not ready in time. */
  async ready(): Promise<this> {
    const isReady = async () => {
      if (this.#ended) throw new Error(`The server exited before it was ready.\n${this.#output()}`);
      const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status === 200;
    };
    await waitUntil(isReady, `the server to be ready\n${this.#output()}`, TIMEOUT, READY_POLL_INTERVAL);
    return this;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends the signal and waits for the exit. */
  async end(name: NodeJS.Signals): Promise<Exit> {
    this.signal(name);
    return this.ended();
  }

  /** Waits for the exit. @throws Error with the output if it does not exit in time. */
  async ended(): Promise<Exit> {
    await waitUntil(() => this.#ended, 'the server to end').catch((error: Error) => {
      throw new Error(`${error.message}\n${this.#output()}`);
    });
    return this.exit;
  }

  #output(): string {
    return `--- stdout\n${this.#stdout}\n--- stderr\n${this.#stderr}`;
  }
}

interface Servers {
  /** Starts a process, without waiting until it is ready. */
  launch(options?: LaunchOptions): Promise<ServerProcess>;
  /** Starts a process and waits until `/readyz` succeeds. */
  start(options?: LaunchOptions): Promise<ServerProcess>;
  /** Creates a temporary directory, which is deleted after the test. */
  directory(): Promise<string>;
}

/** The environment of every Node process that a test starts, with the shared compile cache. */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

/**
 * The options of Node for short-lived processes: background threads for optimisation and garbage collection would slow down other tests
 * more than they speed up this process.
 */
export const SHORT_LIVED = ['--single-threaded'];

/** All running processes of all test files. */
const running = new Set<ChildProcess>();

// A worker that is ended during a test runs no hooks.
process.once('exit', () => kill(running));

function kill(children: Iterable<ChildProcess>): void {
  for (const child of children) child.kill('SIGKILL');
}

/**
 * Starts processes, and after each test kills them and deletes their directories. Call it once at the top of a test file or suite.
 *
 * @param end `afterAll` if the tests of the file or suite share their processes.
 */
export function manageServers(end: typeof afterEach | typeof afterAll = afterEach): Servers {
  const children = new Set<ChildProcess>();
  const directories: string[] = [];

  const directory = async () => {
    const made = await mkdtemp(join(tmpdir(), 'portico-process-'));
    directories.push(made);
    return made;
  };

  const directoryWithDemo = async () => {
    const made = await directory();
    await mkdir(join(made, 'data'));
    await copyFile(inject('databases').sqlite.demo, join(made, 'data/portico.db'));
    return made;
  };

  const launch = async (options: LaunchOptions = {}) => {
    const { env = {}, directory: given, node = process.execPath, root = ROOT, fromSource = false } = options;
    const { program: [file, ...args] = ['src/main.ts'] } = options;
    const port = env['PORT'] === undefined ? await freePort() : Number(env['PORT']);
    const entry = (root === ROOT && !fromSource && bundled(file)) || join(root, file);
    const child = spawn(node, [...SHORT_LIVED, entry, ...args], {
      cwd: given ?? (await directoryWithDemo()),
      env: { ...SETTINGS, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const among of [children, running]) {
      among.add(child);
      child.once('exit', () => among.delete(child));
    }
    await once(child, 'spawn');
    return new ServerProcess(child, port);
  };

  end(async () => {
    const ends = [...children].map((child) => once(child, 'exit'));
    kill(children);
    await Promise.all(ends);
    for (const made of directories.splice(0)) await rm(made, { recursive: true, force: true });
  });

  return { launch, directory, start: async (options) => (await launch(options)).ready() };
}

/**
 * The settings of servers in tests: they listen on this machine only, log little, and neither limit nor shed requests while the machine is
 * busy with other tests.
 */
export const SETTINGS = {
  ...COMPILED,
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_POINTS: '10000000',
  RATE_LIMIT_PER_SECOND: '10000000',
  OPERATION_PATIENCE: '60000',
  CONNECTION_INIT_TIMEOUT: '60000',
};

/**
 * Polls a condition until it holds.
 *
 * @param what completes the error message "Timed out after … ms waiting for …".
 * @param timeout the maximum wait in milliseconds.
 * @param interval milliseconds between two checks.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string,
  timeout = TIMEOUT,
  interval = POLL_INTERVAL,
): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Timed out after ${timeout} ms waiting for ${what}`);
    await sleep(interval);
  }
}

/** The ports of tests: below those that the system chooses for outgoing connections, which would take them before a server does. */
const PORTS = { first: 15_000, perWorker: 1000, workers: 17 };

/** The port that was returned last, within the ports of this worker. */
let lastPort = randomInt(PORTS.perWorker);

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * Returns the first of `count` successive unused local ports. No other test gets them, since a server may take them only seconds
 * later.
 */
export async function freePort(count = 1): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % PORTS.workers;
  for (;;) {
    if (lastPort + count >= PORTS.perWorker) lastPort = -1;
    const first = PORTS.first + worker * PORTS.perWorker + lastPort + 1;
    // Before the first wait, since a test that runs at the same time continues after them.
    lastPort += count;
    const areFree = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (!areFree.includes(false)) return first;
  }
}

/** Whether a program accepts TCP connections on a local port. */
export async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
