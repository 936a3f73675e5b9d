/** The load generator, in a process of its own: takes jobs over its channel and answers each with what it measured. */
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { BenchRequest } from './cases.ts';

/** What to send, to whom, and for how long. */
export interface LoadJob {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second of all connections together, whatever the answers take; as many as are answered when left out. */
  readonly rate?: number;
}

/** Asked for while a job runs: how far it has come, which is answered with {@link LoadCount}; or to end it before its time. */
export type LoadQuestion = 'count' | 'stop';

export interface LoadCount {
  /** Answers so far, whatever their status. */
  readonly answers: number;
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
}

export interface LoadResult {
  /** Answers with any status. */
  readonly requestsPerSecond: number;
  /** Milliseconds, of the answers with 2xx. */
  readonly p50: number;
  readonly p99: number;
  /** Answers, whatever their status. */
  readonly answers: number;
  /** Answers with another status than 2xx. */
  readonly refused: number;
  /** Answers by their status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that broke and requests without an answer. */
  readonly failed: number;
}

/** Milliseconds between autocannon's own samples: it ends at one of them. */
const SAMPLE = 50;

/** The job that runs. */
let current: { readonly count: () => number; readonly stop: () => void } | undefined;

process.on('message', async (message: LoadJob | LoadQuestion) => {
  if (message === 'count') process.send?.({ answers: current?.count() ?? 0, at: performance.now() });
  else if (message === 'stop') current?.stop();
  else process.send?.(await measure(message));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; its parent ends it.
process.on('SIGINT', () => undefined);

async function measure(job: LoadJob): Promise<LoadResult> {
  const latency = createHistogram();
  let answered = 0;
  const statuses: Record<string, number> = {};
  const times = { first: 0, last: 0 };
  let connection = 0;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const settings: autocannon.Options = {
    url: job.url,
    connections: job.connections,
    pipelining: 1,
    duration: job.seconds,
    sampleInt: SAMPLE,
    requests: [{}],
    ...(job.rate !== undefined && { overallRate: job.rate }),
    // Each connection has requests of its own, so that no two ask for the same row at once.
    setupClient: (client) => client.setRequests(shareOf(job, connection++)),
  };
  // With a callback it gives the emitter, and without one it is declared to give a promise alone.
  const instance = autocannon(settings, (error, ended) => (error ? reject(error) : resolve(ended)));
  current = { count: () => answered, stop: () => instance.stop() };
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    answered += 1;
    times.last = performance.now();
    if (times.first === 0) times.first = times.last;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status < 200 || status >= 300) return;
    // The histogram takes integers from 1: nanoseconds.
    latency.record(Math.max(1, Math.round(milliseconds * 1e6)));
  });
  const result = await promise;
  current = undefined;
  const answers = answered;
  return {
    requestsPerSecond: ((answers - 1) * 1000) / (times.last - times.first),
    p50: latency.percentile(50) / 1e6,
    p99: latency.percentile(99) / 1e6,
    answers,
    refused: answers - latency.count,
    statuses,
    failed: result.errors + result.timeouts,
  };
}

function shareOf({ requests, headers, connections }: LoadJob, connection: number): autocannon.Request[] {
  return requests
    .filter((_, index) => index % connections === connection)
    .map((request) => ({ ...request, headers: { ...headers } }));
}
