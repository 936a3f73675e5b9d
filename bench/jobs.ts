import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * What a load generator, which takes a job over its channel, answers with.
 *
 * @throws Error when it ends instead.
 */
export async function resultOf<Result>(child: ChildProcess, job: object): Promise<Result> {
  const over = new AbortController();
  const died = once(child, 'exit', { signal: over.signal }).then(() => {
    throw new Error('A load generator ended.');
  });
  died.catch(() => undefined);
  child.send(job);
  // It answers a job with its result, and sends nothing else.
  const [result] = (await Promise.race([once(child, 'message'), died])) as [Result];
  over.abort();
  return result;
}
