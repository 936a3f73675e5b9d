/**
 * The neighbour's clients, in a separate process so that nothing delays its timers: an open load of requests at a fixed rate, independent
 * of response times, and a probe that requests `/healthz`. Receives jobs over its IPC channel and replies with the results.
 */
import { Agent } from 'node:http';
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../exchange.ts';

export interface ArrivalsJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The paths that are requested in turn. */
  readonly paths: readonly string[];
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface ArrivalsResult {
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests whose connection broke, or that had no response within {@link TIMEOUT}. */
  readonly failed: number;
  /** Latency in milliseconds, from the scheduled time of a request to the end of its response or to its failure. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  /** The same for the slowest probe. */
  readonly slowestProbe: number;
  /** Probes without status 200. */
  readonly failedProbes: number;
}

/** Milliseconds between two probes. */
const PROBE_INTERVAL = 100;
/** Milliseconds until a client gives up: longer than any operation may take. */
const TIMEOUT = 15_000;
/** Idle connections that stay open. More are opened when more requests are pending. */
const MAX_FREE_SOCKETS = 256;

process.on('message', async (job: ArrivalsJob) => process.send?.(await arrive(job)));
process.on('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);

interface Series {
  readonly latency: RecordableHistogram;
  readonly statuses: Record<string, number>;
  failed: number;
}

async function arrive({ url, headers, paths, rate, seconds }: ArrivalsJob): Promise<ArrivalsResult> {
  const orders = paths.map((path) => ({ url: `${url}${path}`, headers }));
  const [requests, probes] = await Promise.all([
    send(orders, 1000 / rate, seconds),
    send([{ url: `${url}/healthz`, headers: {} }], PROBE_INTERVAL, seconds),
  ]);
  const { latency, statuses, failed } = requests;
  return {
    statuses,
    failed,
    p50: latency.percentile(50) / 1e6,
    p99: latency.percentile(99) / 1e6,
    slowest: latency.max / 1e6,
    slowestProbe: probes.latency.max / 1e6,
    failedProbes:
      Object.values(probes.statuses).reduce((sum, count) => sum + count, 0) -
      (probes.statuses['200'] ?? 0) +
      probes.failed,
  };
}

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request at each interval, even while earlier ones are pending, and waits for all of them. */
async function send(targets: readonly Target[], interval: number, seconds: number): Promise<Series> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_FREE_SOCKETS });
  const series: Series = { latency: createHistogram(), statuses: {}, failed: 0 };
  const pending: Promise<void>[] = [];
  const count = Math.floor((seconds * 1000) / interval);
  const begun = performance.now();
  for (let n = 0; n < count; n += 1) {
    const due = begun + n * interval;
    const target = targets[n % targets.length];
    if (!target) throw new RangeError('There are no paths to request.');
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    pending.push(time(target, due, agent, series));
  }
  await Promise.all(pending);
  agent.destroy();
  return series;
}

async function time(target: Target, due: number, agent: Agent, series: Series): Promise<void> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const { status } = await exchange({ method: 'GET', ...target, agent, signal });
    series.statuses[status] = (series.statuses[status] ?? 0) + 1;
  } catch {
    series.failed += 1;
  }
  // In nanoseconds: the histogram only accepts integers from 1.
  series.latency.record(Math.max(1, Math.round((performance.now() - due) * 1e6)));
}
