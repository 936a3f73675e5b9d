/** What the benchmark, the server that it measures and the clients say to each other. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** To the server. Each is answered with a `ServerState`. */
export type ServerTask =
  | { readonly task: 'look' }
  /** Collects garbage first. */
  | { readonly task: 'measure' }
  /** Writes one event to the log, as a mutation does. */
  | { readonly task: 'record' };

export interface ServerState {
  /** Where it listens. */
  readonly port: number;
  /** Microseconds of processor time since its start: in the program itself, and in the kernel for it. */
  readonly user: number;
  readonly system: number;
  /** Bytes of memory that the process holds, and of that what JavaScript's heap is used for, with its buffers. */
  readonly rss: number;
  readonly heap: number;
}

/** To the clients. Each is answered with a `ClientsState`, when it is done. */
export type ClientsTask =
  /** Opens connections that are acknowledged and follow nothing. */
  | { readonly task: 'connect'; readonly url: string; readonly token: string; readonly connections: number }
  /** Follows the log on each. */
  | { readonly task: 'subscribe' }
  /** Waits until each connection has been sent so many events. */
  | { readonly task: 'await'; readonly events: number }
  /** Closes them all. */
  | { readonly task: 'disconnect' };

export interface ClientsState {
  readonly connections: number;
  /** Events that all connections were sent, together. */
  readonly received: number;
}

/** Milliseconds that a task may take. */
const PATIENCE = 60_000;

/**
 * Gives a process a task, and resolves to its answer.
 *
 * @throws when the process ends, or takes too long.
 */
export async function ask<Answer>(child: ChildProcess, task: ServerTask | ClientsTask): Promise<Answer> {
  child.send(task);
  return nextAnswer(child, task.task);
}

/** The next thing that a process says. */
export async function nextAnswer<Answer>(child: ChildProcess, what: string): Promise<Answer> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE)]);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`A process ended while it was to do this: ${what}.`);
  });
  try {
    // Both of our programs answer each task with what its type says, and send nothing else.
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Answer];
    return answer;
  } catch (error) {
    throw signal.aborted
      ? new Error(`This took more than ${PATIENCE} ms: ${what}.`, { cause: error })
      : error;
  } finally {
    over.abort();
    ended.catch(() => undefined);
  }
}
