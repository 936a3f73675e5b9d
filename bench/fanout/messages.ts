/** The messages between the benchmark, the measured server and the clients. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Tasks of the server, which replies to each with a `ServerState`. */
export type ServerTask =
  | { readonly task: 'state' }
  /** Collects garbage first. */
  | { readonly task: 'measure' }
  /** Records events in the log in one transaction, as mutations do that are committed together. */
  | { readonly task: 'record'; readonly events: number };

export interface ServerState {
  readonly port: number;
  /** Microseconds of processor time since the start, in user and kernel mode. */
  readonly user: number;
  readonly system: number;
  /** Bytes of resident memory, and of the used JavaScript heap with its buffers. */
  readonly rss: number;
  readonly heap: number;
}

/** Tasks of the clients, which reply to each with a `ClientsState` when it is complete. */
export type ClientsTask =
  /** Opens connections without subscriptions. */
  | { readonly task: 'connect'; readonly url: string; readonly token: string; readonly connections: number }
  /** Subscribes to the log on each connection. */
  | { readonly task: 'subscribe' }
  /** Waits until each connection has received this number of events. */
  | { readonly task: 'await'; readonly events: number }
  /** Closes all connections. */
  | { readonly task: 'disconnect' };

export interface ClientsState {
  readonly connections: number;
  /** The number of events that all connections have received together. */
  readonly received: number;
}

/** The maximum duration of a task, in milliseconds. */
const TIMEOUT = 60_000;

/**
 * Sends a task to a process and returns its reply.
 *
 * @throws Error if the process exits or takes too long.
 */
export async function runTask<Reply>(child: ChildProcess, task: ServerTask | ClientsTask): Promise<Reply> {
  child.send(task);
  return nextReply(child, task.task);
}

/** Waits for the next message of a process. @param task its name, for errors. */
export async function nextReply<Reply>(child: ChildProcess, task: string): Promise<Reply> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT)]);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`A process exited during the task "${task}".`);
  });
  try {
    // Both programs send one message per task, of the type that is declared for it.
    const [reply] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Reply];
    return reply;
  } catch (error) {
    throw signal.aborted
      ? new Error(`The task "${task}" took more than ${TIMEOUT} ms.`, { cause: error })
      : error;
  } finally {
    over.abort();
    ended.catch(() => undefined);
  }
}
