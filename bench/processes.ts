import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** The CPU cores that processes are pinned to; undefined if the system cannot pin processes. */
export interface Cores {
  readonly servers: number | undefined;
  readonly load: number | undefined;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_PERIOD = 5000;

const running = new Set<ChildProcess>();

// No child outlives this process, however it exits.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Chooses one core for the servers, which take turns, and another one for the load generators. */
export function chooseCores(): Cores {
  const canPin = (core: number) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
  if (availableParallelism() < 2 || !canPin(0) || !canPin(1)) return { servers: undefined, load: undefined };
  return { servers: 1, load: 0 };
}

/**
 * Starts Node with these arguments and an IPC channel. Its output goes to standard error.
 *
 * @param runner the command that runs Node, such as a profiler with its options.
 */
export function startNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  core: number | undefined,
  runner: readonly string[] = [],
): ChildProcess {
  const command = [...runner, process.execPath, ...args];
  // taskset replaces itself with the program, so that the process id and the IPC channel belong to the program.
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
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_PERIOD);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(endProcess));
}
