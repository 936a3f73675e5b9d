/**
 * The viewers of the large organisation, in a process of their own: connections that each send the next operation as soon as the last
 * one was answered, whatever the response was, until the word `stop` comes over the channel.
 */
import { Agent } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../exchange.ts';

export interface AttackJob {
  readonly url: string;
  /** The headers of each connection. */
  readonly viewers: readonly Readonly<Record<string, string>>[];
  /** Bodies of operations. Each connection sends all of them in turn, and each begins with another one. */
  readonly bodies: readonly string[];
}

export interface AttackResult {
  readonly seconds: number;
  /** Responses by their status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests whose connection broke. */
  readonly failed: number;
}

/** Milliseconds before a connection that broke is opened again. */
const PAUSE = 10;

/** Of this process, below all others: on a machine with few cores it would hold up the clients that are measured. */
const PRIORITY = 10;

const stopping = new AbortController();

process.on('message', async (message: AttackJob | 'stop') => {
  if (message === 'stop') stopping.abort();
  else process.send?.(await attack(message));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group, and the benchmark ends this process.
process.on('SIGINT', () => undefined);

async function attack({ url, viewers, bodies }: AttackJob): Promise<AttackResult> {
  setPriority(PRIORITY);
  const statuses: Record<string, number> = {};
  let failed = 0;
  const { signal } = stopping;
  const begun = performance.now();
  const connections = viewers.map(async (headers, number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = number; !signal.aborted; n += 1) {
      const body = bodies[n % bodies.length];
      try {
        const { status } = await exchange({
          method: 'POST',
          url: `${url}/graphql`,
          headers,
          ...(body && { body }),
          agent,
          signal,
        });
        statuses[status] = (statuses[status] ?? 0) + 1;
      } catch {
        if (signal.aborted) break;
        failed += 1;
        await sleep(PAUSE);
      }
    }
    agent.destroy();
  });
  await Promise.all(connections);
  return { seconds: (performance.now() - begun) / 1000, statuses, failed };
}
