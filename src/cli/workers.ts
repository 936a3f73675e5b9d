/** Runs several server processes on one port, so that they use all cores of a machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening, passMetrics } from '../cluster/workers.ts';
import { type Config, environmentWith, hasTlsFiles, loadConfig } from '../config.ts';
import { reasonOf } from '../core/failure.ts';
import { requireFreePorts, withPort } from '../core/free-port.ts';
import { placeOf } from '../core/public-url.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Milliseconds before a worker that ended is restarted, so that one that cannot start does not take all the time of a core. */
const PAUSE = 1000;

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
  const config = checked(loadConfig(terminal.environment));
  const http = await freePlace(config);
  const workers = new Workers(
    environmentWith({ ...terminal.environment, PORT: String(http.port), PORT_SHARING: 'on' }),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => workers.stop());
  if (hasTlsFiles(http.tls)) process.on('SIGHUP', () => workers.signal('SIGHUP'));
  // One worker first: it migrates the database, and creates the key file if it is missing.
  const first = workers.keep(1);
  await Promise.race([first.listens, first.ended]);
  const others = Array.from({ length: count - 1 }, (_, index) => workers.keep(index + 2));
  void Promise.all(others.map(({ listens }) => listens)).then(() =>
    terminal.err(`${count} workers are listening on ${placeOf(http)}\n`),
  );
  await Promise.all([first, ...others].map(({ ended }) => ended));
  if (workers.failed.length > 0)
    throw new CommandError(`These workers did not complete their work: ${workers.failed.join(', ')}.`);
}

/** Returns where the workers listen, with a port. They share their ports with each other, and with another server only if PORT_SHARING is on. */
async function freePlace({ http: given, telemetry: { metrics } }: Config): Promise<Config['http']> {
  try {
    const http = await withPort(given);
    const ports = [http.port, http.tls.certifiedPort, metrics].filter((port) => typeof port === 'number');
    if (!http.sharesPort) await requireFreePorts(http.host, ports);
    return http;
  } catch (cause) {
    throw new CommandError('The workers cannot listen: check HOST, PORT, MTLS_PORT and METRICS', { cause });
  }
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
  /** The numbers of those that were killed, or abandoned work, when they were stopped. */
  readonly failed: number[] = [];
  #stopping = false;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /**
   * Starts a worker, and restarts it whenever it ends.
   *
   * @returns `listens`, which resolves when it listens for the first time: never if it is stopped before; and `ended`, which resolves
   *   when it has stopped, and rejects with a CommandError if it is the first worker and has never listened.
   */
  keep(number: number): { readonly listens: Promise<void>; readonly ended: Promise<void> } {
    const { promise: listens, resolve } = Promise.withResolvers<void>();
    let isFirst = number === 1;
    const onListening = () => {
      isFirst = false;
      resolve();
    };
    const ended = async () => {
      while (!this.#stopping) {
        const { reason, hasCompleted } = await this.#run(number, onListening);
        if (this.#stopping) {
          if (!hasCompleted) this.failed.push(number);
          return;
        }
        if (isFirst) throw new CommandError(`The first worker did not start (${reason}).`);
        process.stderr.write(`worker ${number} ended (${reason}) and will be restarted\n`);
        await sleep(PAUSE);
      }
    };
    return { listens, ended: ended() };
  }

  /** Sends a signal to all workers. */
  signal(name: NodeJS.Signals): void {
    for (const child of this.#running.values()) child.kill(name);
  }

  stop(): void {
    this.#stopping = true;
    this.signal('SIGTERM');
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
      return await endOf(child);
    } catch (error) {
      // Node throws some failures, and reports others as an event.
      return { hasCompleted: true, reason: reasonOf(error) };
    } finally {
      this.#running.delete(number);
    }
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
