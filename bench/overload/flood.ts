/**
 * An open load, in a separate process: requests are sent at a fixed rate, even while earlier ones are pending. As from a load
 * balancer, they use persistent connections; a request waits for a free one, and the wait counts as latency. Receives one job over
 * its IPC channel and replies with the result.
 */
import { Agent } from 'node:http';
import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../exchange.ts';
import { documentOf } from './document.ts';

export interface FloodJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests a second. */
  readonly rate: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface FloodResult {
  readonly sent: number;
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of error responses without `Retry-After`. */
  readonly withoutRetryAfter: number;
  /** Requests whose connection broke, or that had no response within {@link TIMEOUT}. */
  readonly failed: number;
  /** Latency in milliseconds, from the start of a request to the end of its 2xx response. */
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds between two batches of requests. */
const TICK = 2;
/** Milliseconds until a client gives up. */
const TIMEOUT = 10_000;

process.on('message', async (job: FloodJob) => process.send?.(await flood(job)));
process.on('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);

async function flood({ url, headers, rate, connections, seconds }: FloodJob): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const latency = createHistogram();
  const statuses: Record<string, number> = {};
  const waiting: Promise<void>[] = [];
  let withoutRetryAfter = 0;
  let failed = 0;
  const send = async (n: number) => {
    const sentAt = performance.now();
    try {
      const { status, retryAfter } = await exchange({
        method: 'POST',
        url: `${url}/graphql`,
        headers,
        body: JSON.stringify({ query: documentOf(n) }),
        agent,
        signal: AbortSignal.timeout(TIMEOUT),
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
      // In nanoseconds: the histogram only accepts integers from 1.
      if (status < 300) latency.record(Math.max(1, Math.round((performance.now() - sentAt) * 1e6)));
      else if (retryAfter === undefined) withoutRetryAfter += 1;
    } catch {
      failed += 1;
    }
  };
  const begun = performance.now();
  let sent = 0;
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - begun) {
    for (; sent < (passed * rate) / 1000; sent += 1) {
      waiting.push(send(sent));
    }
    await sleep(TICK);
  }
  await Promise.all(waiting);
  agent.destroy();
  return {
    sent,
    statuses,
    withoutRetryAfter,
    failed,
    p50: latency.percentile(50) / 1e6,
    p99: latency.percentile(99) / 1e6,
  };
}
