import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/core/free-port.ts';
import type { BenchData } from './data.ts';
import { startNode } from './processes.ts';

/** A server that is being measured. */
export interface BenchServer {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
}

/** The public URL in links and tokens, the same for all servers. */
export const PUBLIC_URL = 'http://orders.example';

/** A limit that no benchmark reaches. The server still updates the budget with each request, as in production. */
export const UNLIMITED = 1_000_000_000;

/**
 * Milliseconds that an operation may wait for its turn: long enough that a measured server does not shed load when another process
 * delays its event loop.
 */
const OPERATION_PATIENCE = 60_000;

/** Days. The seeded events have fixed dates, and the janitor must not delete them during a measurement. */
const EVENT_RETENTION = 3650;

/** The address on which servers listen. */
const HOST = '127.0.0.1';

/** Milliseconds within which a server must listen, even on a busy machine. */
const START_TIMEOUT = 60_000;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Deviations from a start in production. */
export interface ServerOptions {
  /** The name of the server in reports. */
  readonly name?: string;
  /** Options of Node, before the program. */
  readonly nodeOptions?: readonly string[];
  /** Milliseconds that an operation may wait for its turn. */
  readonly operationPatience?: number;
  /** Whether callers have the default budgets instead of {@link UNLIMITED}. */
  readonly hasBudgets?: boolean;
  /** `fatal` if the benchmark causes errors on purpose. */
  readonly logLevel?: 'error' | 'fatal';
  /** The command that runs Node, such as a profiler with its options. */
  readonly command?: readonly string[];
  /** Additional settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The program that Node runs, with its arguments. */
  readonly program?: readonly string[];
  /** Milliseconds within which the server must listen. */
  readonly startTimeout?: number;
}

/** The database and the keys of a server. */
export interface ServedData {
  /** `file:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  readonly keysFile: string;
}

/** Starts Portico as in production, on the SQLite file of the benchmark. */
export function startServer(
  { serverFile, keysFile }: Pick<BenchData, 'serverFile' | 'keysFile'>,
  core: number | undefined,
  options?: ServerOptions,
): Promise<BenchServer> {
  return startPortico({ databaseUrl: `file:${serverFile}`, keysFile }, core, options);
}

/** Starts Portico as in production. */
export async function startPortico(
  { databaseUrl, keysFile }: ServedData,
  core: number | undefined,
  {
    name = 'server',
    nodeOptions = [],
    operationPatience = OPERATION_PATIENCE,
    hasBudgets = false,
    logLevel = 'error',
    command,
    program = [pathOf('../src/main.ts')],
    startTimeout,
    environment: additional = {},
  }: ServerOptions = {},
): Promise<BenchServer> {
  const port = await freePort(HOST);
  const environment = {
    NODE_ENV: 'production',
    PORT: String(port),
    HOST,
    PUBLIC_URL,
    DATABASE_URL: databaseUrl,
    AUTH_KEYS_FILE: keysFile,
    LOG_LEVEL: logLevel,
    OPERATION_PATIENCE: String(operationPatience),
    ...(!hasBudgets && { RATE_LIMIT_POINTS: String(UNLIMITED), RATE_LIMIT_PER_SECOND: String(UNLIMITED) }),
    EVENT_RETENTION_DAYS: String(EVENT_RETENTION),
    ...additional,
  };
  const args = [...nodeOptions, ...program];
  return listening(name, port, startNode(args, environment, core, command), startTimeout);
}

/** Starts one of the servers of `contestants/main.ts`. */
export async function startContestant(
  name: string,
  { databaseUrl, keysFile }: ServedData,
  core: number | undefined,
  { command, startTimeout }: Pick<ServerOptions, 'command' | 'startTimeout'> = {},
): Promise<BenchServer> {
  const port = await freePort(HOST);
  const args = [pathOf('contestants/main.ts'), name, String(port), databaseUrl, keysFile, PUBLIC_URL];
  return listening(name, port, startNode(args, { NODE_ENV: 'production' }, core, command), startTimeout);
}

async function listening(
  name: string,
  port: number,
  process: ChildProcess,
  startTimeout = START_TIMEOUT,
): Promise<BenchServer> {
  const deadline = Date.now() + startTimeout;
  while (!(await acceptsConnections(port))) {
    if (process.exitCode !== null || process.signalCode !== null)
      throw new Error(`The ${name} exited while starting.`);
    if (Date.now() > deadline) throw new Error(`The ${name} did not listen within ${startTimeout} ms.`);
    await sleep(50);
  }
  return { name, url: `http://${HOST}:${port}`, process };
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
