/** The load generator, a separate process: receives jobs over its IPC channel and replies to each with its measurement. */
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { BenchRequest } from './cases.ts';

/** The requests to send, their target, and the duration. */
export interface LoadJob {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests a second of all connections together, independent of response times. If omitted, each connection sends its next
   * request when it has received the response.
   */
  readonly rate?: number;
}

/** Messages while a job runs: `count` requests a {@link LoadCount}, `stop` ends the job early. */
export type LoadCommand = 'count' | 'stop';

export interface LoadCount {
  /** Responses so far, with any status. */
  readonly responses: number;
  /** The time of the count, in milliseconds of a monotonic clock. */
  readonly at: number;
}

export interface LoadResult {
  /** Responses with any status. */
  readonly requestsPerSecond: number;
  /** Latency of the 2xx responses, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses with any status. */
  readonly responses: number;
  /** Responses with a status other than 2xx. */
  readonly refused: number;
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Broken connections and requests without a response. */
  readonly failed: number;
}

/** Milliseconds between autocannon's samples. It only ends at a sample. */
const SAMPLE_INTERVAL = 50;

/** The running job. */
let current: { readonly count: () => number; readonly stop: () => void } | undefined;

process.on('message', async (message: LoadJob | LoadCommand) => {
  if (message === 'count') process.send?.({ responses: current?.count() ?? 0, at: performance.now() });
  else if (message === 'stop') current?.stop();
  else process.send?.(await measure(message));
});
process.on('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);

async function measure(job: LoadJob): Promise<LoadResult> {
  const latency = createHistogram();
  let received = 0;
  const statuses: Record<string, number> = {};
  const times = { first: 0, last: 0 };
  let connection = 0;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const settings: autocannon.Options = {
    url: job.url,
    connections: job.connections,
    pipelining: 1,
    duration: job.seconds,
    sampleInt: SAMPLE_INTERVAL,
    requests: [{}],
    ...(job.rate !== undefined && { overallRate: job.rate }),
    // Connections do not share requests, so that no two read the same row at once.
    setupClient: (client) => client.setRequests(shareOf(job, connection++)),
  };
  // With a callback, autocannon returns an emitter; without one, its type is only a promise.
  const instance = autocannon(settings, (error, ended) => (error ? reject(error) : resolve(ended)));
  current = { count: () => received, stop: () => instance.stop() };
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    received += 1;
    times.last = performance.now();
    if (times.first === 0) times.first = times.last;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status < 200 || status >= 300) return;
    // In nanoseconds: the histogram only accepts integers from 1.
    latency.record(Math.max(1, Math.round(milliseconds * 1e6)));
  });
  const result = await promise;
  current = undefined;
  const responses = received;
  return {
    requestsPerSecond: ((responses - 1) * 1000) / (times.last - times.first),
    p50: latency.percentile(50) / 1e6,
    p99: latency.percentile(99) / 1e6,
    responses,
    refused: responses - latency.count,
    statuses,
    failed: result.errors + result.timeouts,
  };
}

function shareOf({ requests, headers, connections }: LoadJob, connection: number): autocannon.Request[] {
  return requests
    .filter((_, index) => index % connections === connection)
    .map((request) => ({ ...request, headers: { ...headers } }));
}
