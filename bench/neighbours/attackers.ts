/**
 * The viewers of the large organisation, in a separate process: each connection sends its next operation as soon as it has received the
 * response to the previous one, whatever its status, until the message `stop`.
 */
import { Agent } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../exchange.ts';

export interface AttackJob {
  readonly url: string;
  /** The headers of each connection. */
  readonly viewers: readonly Readonly<Record<string, string>>[];
  /** The bodies of the operations. Each connection sends all of them in turn, starting with a different one. */
  readonly bodies: readonly string[];
}

export interface AttackResult {
  readonly seconds: number;
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests whose connection broke. */
  readonly failed: number;
}

/** Milliseconds before a broken connection is opened again. */
const RECONNECT_DELAY = 10;

/** The niceness of this process. On a machine with few cores, it would otherwise delay the measured clients. */
const PRIORITY = 10;

const stopping = new AbortController();

process.on('message', async (message: AttackJob | 'stop') => {
  if (message === 'stop') stopping.abort();
  else process.send?.(await attack(message));
});
process.on('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
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
        await sleep(RECONNECT_DELAY);
      }
    }
    agent.destroy();
  });
  await Promise.all(connections);
  return { seconds: (performance.now() - begun) / 1000, statuses, failed };
}
