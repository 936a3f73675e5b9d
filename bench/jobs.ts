import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Sends a job to a load generator over its IPC channel and returns the result.
 *
 * @throws Error if the process exits first.
 */
export async function resultOf<Result>(child: ChildProcess, job: object): Promise<Result> {
  const over = new AbortController();
  const died = once(child, 'exit', { signal: over.signal }).then(() => {
    throw new Error('A load generator exited.');
  });
  died.catch(() => undefined);
  child.send(job);
  // The load generator sends one message per job: its result.
  const [result] = (await Promise.race([once(child, 'message'), died])) as [Result];
  over.abort();
  return result;
}
