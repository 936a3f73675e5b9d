import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Which core a process runs on; undefined where processes cannot be bound to one. */
export interface Cores {
  readonly servers: number | undefined;
  readonly load: number | undefined;
}

/** Milliseconds that a process has to end by itself before it is killed. */
const PATIENCE = 5000;

const running = new Set<ChildProcess>();

// Whatever way this process takes to its end, it leaves nothing behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One core for the servers, which take turns, and another one for the load. */
export function chooseCores(): Cores {
  const canPin = (core: number) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
  if (availableParallelism() < 2 || !canPin(0) || !canPin(1)) return { servers: undefined, load: undefined };
  return { servers: 1, load: 0 };
}

/**
 * Starts a TypeScript file under this Node, with a channel for messages. What it writes goes to standard error.
 *
 * @param runner a program that runs Node, with its options.
 */
export function startNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  core: number | undefined,
  runner: readonly string[] = [],
): ChildProcess {
  const command = [...runner, process.execPath, ...args];
  // taskset becomes the program it is given, so that the process id and the channel are the program's own.
  const [file = process.execPath, ...rest] =
    core === undefined ? command : ['taskset', '-c', String(core), ...command];
  const child = spawn(file, rest, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(endProcess));
}
