/** Starts the processes of `npm run cluster`, keeps them running, and stops them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Milliseconds before a process that has ended is restarted: long enough to avoid a busy loop if it cannot start. */
const RESTART_DELAY = 1000;

/** Milliseconds within which a process must be ready. */
const READY_TIMEOUT = 120_000;

/** An error with a message for the user. */
export class ClusterError extends Error {}

/** Thrown when a process would be started although everything is being stopped. */
export class Stopped extends Error {}

export const say = (line: string) => void process.stdout.write(`cluster: ${line}\n`);

/** Finds a program, also in a folder that is only in root's PATH on Debian; undefined if it is not installed. */
export function findProgram(name: string, versionFlag: string): string | undefined {
  return [name, `/usr/sbin/${name}`].find((path) => spawnSync(path, [versionFlag]).status === 0);
}

export class Processes {
  readonly #children = new Set<ChildProcess>();
  #stopped: Promise<void> | undefined;

  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  /** Starts a process. @throws Stopped if everything is being stopped. */
  start(name: string, file: string, args: readonly string[], env = process.env): ChildProcess {
    if (this.isStopping) throw new Stopped();
    const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    child.once('error', (error) => {
      this.#children.delete(child);
      say(`${name} cannot be started: ${error.message}`);
    });
    return child;
  }

  /** Starts a process, and restarts it whenever it ends before everything is stopped. @param address shown to the user. */
  keep(name: string, address: string, file: string, args: readonly string[], env = process.env): void {
    const child = this.start(name, file, args, env);
    say(`${name} has process ${child.pid} and ${address}`);
    child.once('exit', async () => {
      if (this.isStopping) return;
      say(`${name} has ended`);
      await sleep(RESTART_DELAY);
      if (!this.isStopping) this.keep(name, address, file, args, env);
    });
  }

  /** Resolves when a URL responds with a success status. @throws ClusterError */
  async ready(url: string): Promise<void> {
    const end = performance.now() + READY_TIMEOUT;
    while (performance.now() < end && !this.isStopping) {
      const response = await fetch(url).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) return;
      await sleep(100);
    }
    if (!this.isStopping) throw new ClusterError(`${url} was not ready within ${READY_TIMEOUT / 1000} s.`);
  }

  /**
   * Stops the processes in the reverse order of their start, so that each can complete its work with the ones that it depends on.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    for (const child of [...this.#children].reverse()) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      if (this.#children.has(child)) await ended;
    }
  }
}
