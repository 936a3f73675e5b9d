/** Runs the server as a process of its own, the way an operator does, and ends it whatever becomes of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type afterAll, afterEach } from 'vitest';
import { bundled } from './bundled.ts';

/** The folder that has `src/main.ts` in it. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Milliseconds after which a start, or an end, counts as one that never comes. */
const PATIENCE = 60_000;

/** Milliseconds between two looks at something that cannot be waited for otherwise. */
const PAUSE = 10;

/** Milliseconds between two looks whether a server is ready. It takes a second, and what looks takes from that. */
const READY_PAUSE = 50;

export interface LaunchOptions {
  /** Settings; nothing of this process's own environment is passed on. PORT is a free one when it is not among them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory, where `data/` is made. A fresh and empty one when not given. */
  readonly directory?: string;
  /** What is run, with its arguments; the server itself when not given. */
  readonly program?: readonly [string, ...string[]];
  /** Another copy of the source tree than this one. */
  readonly root?: string;
  /** Whether it is run as it stands, and not as it was bundled for the tests. */
  readonly fromSource?: boolean;
}

export interface Exit {
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

  /** What it has written so far. */
  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** @throws an Error with its output when it ends, or does not get ready in time. */
  async ready(): Promise<this> {
    const answers = async () => {
      if (this.#ended) throw new Error(`The server ended before it was ready.\n${this.#output()}`);
      const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status === 200;
    };
    await waitUntil(answers, `the server to be ready\n${this.#output()}`, PATIENCE, READY_PAUSE);
    return this;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends the signal and waits for the end. */
  async end(name: NodeJS.Signals): Promise<Exit> {
    this.signal(name);
    return this.ended();
  }

  /** @throws an Error with its output when it does not end in time. */
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

export interface Servers {
  /** Starts a process and does not wait for anything. */
  launch(options?: LaunchOptions): Promise<ServerProcess>;
  /** Starts a process and waits until `/readyz` says so. */
  start(options?: LaunchOptions): Promise<ServerProcess>;
  /** A fresh directory that goes away with the test. */
  directory(): Promise<string>;
}

/** What every process of Node is given that a test starts: what was compiled once is not compiled again. */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

/**
 * How Node runs what lives for seconds: threads that optimise it and collect its garbage beside it take more from the other tests than
 * they give to it.
 */
export const SHORT_LIVED = ['--single-threaded'];

/** Every process that runs, whichever test file started it. */
const running = new Set<ChildProcess>();

// A worker that is ended in the middle of a test runs no hooks.
process.once('exit', () => kill(running));

function kill(children: Iterable<ChildProcess>): void {
  for (const child of children) child.kill('SIGKILL');
}

/**
 * To be called once at the top of a test file: what a test has started ends with it, and its directories go.
 *
 * @param end `afterAll` where the tests of a file, or of the suite that this is called in, share what they have started.
 */
export function manageServers(end: typeof afterEach | typeof afterAll = afterEach): Servers {
  const children = new Set<ChildProcess>();
  const directories: string[] = [];

  const directory = async () => {
    const made = await mkdtemp(join(tmpdir(), 'portico-process-'));
    directories.push(made);
    return made;
  };

  const launch = async (options: LaunchOptions = {}) => {
    const { env = {}, directory: given, root = ROOT, fromSource = false } = options;
    const { program: [file, ...args] = ['src/main.ts'] } = options;
    const port = env['PORT'] === undefined ? await freePort() : Number(env['PORT']);
    const entry = (root === ROOT && !fromSource && bundled(file)) || join(root, file);
    const child = spawn(process.execPath, [...SHORT_LIVED, entry, ...args], {
      cwd: given ?? (await directory()),
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
 * Only this machine is served, little is logged, and no client is slowed down for asking a lot, or turned away while the machine
 * is busy with other tests.
 */
export const SETTINGS = {
  ...COMPILED,
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_POINTS: '10000000',
  RATE_LIMIT_PER_SECOND: '10000000',
  OPERATION_PATIENCE: '60000',
};

/**
 * Waits for something that no one announces.
 *
 * @param what completes "waited in vain for …".
 * @param patience milliseconds until it is given up.
 * @param pause milliseconds between two looks.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string,
  patience = PATIENCE,
  pause = PAUSE,
): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Waited ${patience} ms in vain for ${what}`);
    await sleep(pause);
  }
}

/**
 * A port of the loopback that no one listens on. It lies below those that systems give to outgoing connections, so that
 * none of these takes it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
