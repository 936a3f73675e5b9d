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

/** Stands in links and tokens of both servers alike. */
export const PUBLIC_URL = 'http://orders.example';

/** Points that no benchmark uses up: the budget is kept for each request, as in production. */
export const PLENTY = 1_000_000_000;

/**
 * Milliseconds that a server's event loop may be late. When something else on the machine holds it up for a moment, a server that
 * is measured is to answer all the same.
 */
const PATIENCE = 60_000;

/** Days. The seeded events have fixed dates: the janitor is not to remove them while something else is measured. */
const EVENT_RETENTION = 3650;

/** Where servers listen. */
const HOST = '127.0.0.1';

/** Milliseconds in which a server must have begun to listen, also on a machine that is busy with other things. */
const START_TIME = 60_000;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** How a server is started where it is not as in production. */
export interface ServerOptions {
  /** What the tables call it. */
  readonly name?: string;
  /** Of Node, before the program. */
  readonly nodeOptions?: readonly string[];
  /** Milliseconds that an operation may wait for its turn. */
  readonly operationPatience?: number;
  /** Whether callers have the budgets of production, and not {@link PLENTY}. */
  readonly hasBudgets?: boolean;
  /** What it writes to standard error: errors, unless they are what is being caused. */
  readonly logLevel?: 'error' | 'fatal';
  /** A program that runs Node, with its options. */
  readonly command?: readonly string[];
  /** Settings beside those of all benchmarks. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What Node runs, with its arguments. */
  readonly program?: readonly string[];
  /** Milliseconds in which it must have begun to listen. */
  readonly startTime?: number;
}

/** Where a server finds what it serves. */
export interface ServedData {
  /** `file:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  readonly keysFile: string;
}

/** The server as it is started in production, on the SQLite file of the benchmark. */
export function startServer(
  { serverFile, keysFile }: Pick<BenchData, 'serverFile' | 'keysFile'>,
  core: number | undefined,
  options?: ServerOptions,
): Promise<BenchServer> {
  return startPortico({ databaseUrl: `file:${serverFile}`, keysFile }, core, options);
}

/** The server as it is started in production. */
export async function startPortico(
  { databaseUrl, keysFile }: ServedData,
  core: number | undefined,
  {
    name = 'server',
    nodeOptions = [],
    operationPatience = PATIENCE,
    hasBudgets = false,
    logLevel = 'error',
    command,
    program = [pathOf('../src/main.ts')],
    startTime,
    environment: further = {},
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
    ...(!hasBudgets && { RATE_LIMIT_POINTS: String(PLENTY), RATE_LIMIT_PER_SECOND: String(PLENTY) }),
    EVENT_RETENTION_DAYS: String(EVENT_RETENTION),
    ...further,
  };
  const args = [...nodeOptions, ...program];
  return listening(name, port, startNode(args, environment, core, command), startTime);
}

/** A server beside Portico: one of `contestants/main.ts`. */
export async function startContestant(
  name: string,
  { databaseUrl, keysFile }: ServedData,
  core: number | undefined,
  { command, startTime }: Pick<ServerOptions, 'command' | 'startTime'> = {},
): Promise<BenchServer> {
  const port = await freePort(HOST);
  const args = [pathOf('contestants/main.ts'), name, String(port), databaseUrl, keysFile, PUBLIC_URL];
  return listening(name, port, startNode(args, { NODE_ENV: 'production' }, core, command), startTime);
}

async function listening(
  name: string,
  port: number,
  process: ChildProcess,
  startTime = START_TIME,
): Promise<BenchServer> {
  const deadline = Date.now() + startTime;
  while (!(await answers(port))) {
    if (process.exitCode !== null || process.signalCode !== null)
      throw new Error(`The ${name} ended at its start.`);
    if (Date.now() > deadline) throw new Error(`The ${name} did not begin to listen in ${startTime} ms.`);
    await sleep(50);
  }
  return { name, url: `http://${HOST}:${port}`, process };
}

async function answers(port: number): Promise<boolean> {
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
