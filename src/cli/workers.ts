/** Runs several server processes on one port, so that they use all cores of a machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening, passMetrics } from '../cluster/workers.ts';
import { type Config, environmentWith, hasTlsFiles, loadConfig } from '../config.ts';
import { reasonOf } from '../core/failure.ts';
import { withPort } from '../core/free-port.ts';
import { placeOf } from '../core/public-url.ts';
import { CommandError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds before a worker that ended right after its start is restarted, so that one that cannot start does not spin. */
const PAUSE = 1000;

/** How a process ended. */
interface End {
  /** Whether it has completed its requests, or had none. */
  readonly hasCompleted: boolean;
  /** The signal, the exit code, or why it could not be started. */
  readonly reason: string;
}

/**
 * Runs workers until SIGTERM or SIGINT, which stops them gracefully. A worker that ends is restarted.
 *
 * @throws CommandError if several processes are not supported here, the first one does not start, or one does not stop gracefully.
 */
export async function serveWithWorkers(count: number, terminal: Terminal): Promise<void> {
  const http = await withPort(checked(loadConfig(terminal.environment)).http);
  const workers = new Workers(
    environmentWith({ ...terminal.environment, PORT: String(http.port), PORT_SHARING: 'on' }),
  );
  const stop = () => workers.stop();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (hasTlsFiles(http.tls)) process.on('SIGHUP', () => workers.signal('SIGHUP'));
  // One worker first: it migrates the database, and creates the key file if it is missing.
  if (await workers.startFirst()) {
    const others = Array.from({ length: count - 1 }, (_, index) => workers.keep(index + 2));
    void Promise.all(others).then(() => terminal.err(`${count} workers are listening on ${placeOf(http)}\n`));
  }
  const failed = await workers.ended();
  if (failed.length > 0)
    throw new CommandError(`These workers did not complete their work: ${failed.join(', ')}.`);
}

function checked(config: Config): Config {
  if (!config.database.url.startsWith('postgres')) {
    throw new CommandError(
      'Several workers need PostgreSQL in DATABASE_URL: only one process can write to a SQLite file.',
    );
  }
  if (process.platform !== 'linux') {
    throw new CommandError(
      'Several workers can share a port only on Linux. Start instances behind a proxy instead.',
    );
  }
  return config;
}

class Workers {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running = new Map<number, ChildProcess>();
  readonly #ended = Promise.withResolvers<void>();
  /** The numbers of the workers that did not stop as they should. */
  readonly #failed: number[] = [];
  #stopping = false;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Resolves with true when the first worker listens, and with false if they are stopped before. */
  async startFirst(): Promise<boolean> {
    const { promise: listens, resolve } = Promise.withResolvers<undefined>();
    const ends = this.#run(1, () => resolve(undefined));
    const end = await Promise.race([listens, ends]);
    if (this.#stopping) return false;
    if (end) throw new CommandError(`The first worker did not start (${end.reason}).`);
    void this.#keep(1, ends, () => {});
    return true;
  }

  /** Starts a worker, and restarts it whenever it ends. Resolves when it listens for the first time: never if it is stopped before. */
  keep(number: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#start(number, resolve);
    return promise;
  }

  #start(number: number, onListening: () => void): void {
    if (!this.#stopping) void this.#keep(number, this.#run(number, onListening), onListening);
  }

  /** Sends a signal to all workers. */
  signal(name: NodeJS.Signals): void {
    for (const child of this.#running.values()) child.kill(name);
  }

  stop(): void {
    this.#stopping = true;
    this.signal('SIGTERM');
    this.#checkEnd();
  }

  /** Resolves when all workers have stopped. @returns the numbers of those that were killed, or abandoned work. */
  async ended(): Promise<readonly number[]> {
    await this.#ended.promise;
    return this.#failed;
  }

  /**
   * Starts a worker.
   *
   * @param onListening called when clients can connect.
   * @returns how it ended. A worker that could not be started has ended as well: there may be too many processes or open files now.
   */
  async #run(number: number, onListening: () => void): Promise<End> {
    try {
      const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1, 2), 'serve'], {
        env: this.#environment,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      this.#running.set(number, child);
      passMetrics(child, () => this.#running);
      void listening(child).then(onListening);
      const end = await endOf(child);
      if (this.#stopping && !end.hasCompleted) this.#failed.push(number);
      return end;
    } catch (error) {
      // Node throws some failures, and reports others as an event.
      return { hasCompleted: true, reason: reasonOf(error) };
    } finally {
      this.#running.delete(number);
      this.#checkEnd();
    }
  }

  async #keep(number: number, ends: Promise<End>, onListening: () => void): Promise<void> {
    const startedAt = performance.now();
    const { reason } = await ends;
    if (this.#stopping) return;
    process.stderr.write(`worker ${number} ended (${reason}) and will be restarted\n`);
    if (performance.now() - startedAt < PAUSE) await sleep(PAUSE);
    this.#start(number, onListening);
  }

  #checkEnd(): void {
    if (this.#stopping && this.#running.size === 0) this.#ended.resolve();
  }
}

/** Resolves when a process has ended, or could not be started. */
function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      // Only a worker that is still starting is ended by the signal itself. A terminal sends SIGINT to all processes.
      const hasCompleted = code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
      resolve({ hasCompleted, reason: String(signal ?? code) });
    });
    child.on('error', (error) => {
      // A process that runs has an id, and reports its end by `exit`.
      if (child.pid === undefined) resolve({ hasCompleted: true, reason: reasonOf(error) });
    });
  });
}
