/**
 * An open load, in a process of its own: requests are due at a fixed rate, whatever became of those before them. As from a load
 * balancer, they come over connections that are kept; one that finds none free waits, and that counts as its time. Takes one job
 * over its channel and answers with what it saw.
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
  /** Answers by their status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of these, answers with 503 or 429 that did not say when to come again. */
  readonly silent: number;
  /** Requests whose connection broke, or that had no answer in {@link PATIENCE}. */
  readonly failed: number;
  /** Milliseconds from sending a request to the end of its answer with 2xx. */
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds between two looks at how many are due. */
const TICK = 2;
/** Milliseconds after which a client gives up. */
const PATIENCE = 10_000;

process.on('message', async (job: FloodJob) => process.send?.(await flood(job)));
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; its parent ends it.
process.on('SIGINT', () => undefined);

async function flood({ url, headers, rate, connections, seconds }: FloodJob): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const latency = createHistogram();
  const statuses: Record<string, number> = {};
  const waiting: Promise<void>[] = [];
  let silent = 0;
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
        signal: AbortSignal.timeout(PATIENCE),
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
      // The histogram takes integers from 1: nanoseconds.
      if (status < 300) latency.record(Math.max(1, Math.round((performance.now() - sentAt) * 1e6)));
      else if (retryAfter === undefined) silent += 1;
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
    silent,
    failed,
    p50: latency.percentile(50) / 1e6,
    p99: latency.percentile(99) / 1e6,
  };
}
