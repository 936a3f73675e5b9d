import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Case } from './cases.ts';
import { headersOf } from './client.ts';
import { cpuTimeOf } from './cpu-time.ts';
import type { SeededIds } from './data.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { startNode } from './processes.ts';
import type { BenchServer } from './servers.ts';

/** The measurement of one round. */
export interface Measurement extends LoadResult {
  /** Microseconds of processor time per request; undefined if the system does not report it. */
  readonly cpu: number | undefined;
}

/** Some requests failed, so that the measurement is invalid. */
export class FailedRequestsError extends Error {}

export const startLoad = (core: number | undefined): ChildProcess =>
  startNode([fileURLToPath(new URL('load.ts', import.meta.url))], {}, core);

export interface AlternatingParts {
  readonly server: BenchServer;
  /** The server to compare with. */
  readonly baseline: BenchServer;
  /** The load generator of each server. */
  readonly loads: readonly [server: ChildProcess, baseline: ChildProcess];
  /** The token that clients of each server send. */
  readonly tokens: readonly [server: string, baseline: string];
  readonly ids: SeededIds;
  readonly options: {
    /** Persistent connections, with one request at a time on each. */
    readonly connections: number;
    readonly seconds: number;
    /** Seconds of load before the measurement. */
    readonly warmUp: number;
  };
  readonly onProgress: (what: string) => void;
}

/** Microseconds of processor time per request. */
export interface Alternating {
  readonly server: number;
  readonly baseline: number;
}

/** Milliseconds of one turn: long compared to the cost of switching, short compared to fluctuations of a shared machine. */
const TURN = 50;

/**
 * Measures the processor time per request of the server and the baseline. The turns are so short that changes of the machine's
 * speed affect both equally. Each server has persistent connections, and its load generator is stopped during the turns of the
 * other, so request rates and latencies are meaningless here.
 *
 * @throws Error if the system does not report processor times.
 */
export async function measureAlternating(one: Case, parts: AlternatingParts): Promise<Alternating> {
  const { server, baseline, loads, tokens, options, onProgress } = parts;
  const requests = one.requests(parts.ids);
  const both = (seconds: number) =>
    Promise.all([
      measure({ options, token: tokens[0], load: loads[0] }, server, requests, seconds),
      measure({ options, token: tokens[1], load: loads[1] }, baseline, requests, seconds),
    ]);
  onProgress(`${one.name}: warming up`);
  await both(options.warmUp);
  onProgress(`${one.name}: measuring`);
  const stop = takeTurns(loads);
  const [own, other] = await both(options.seconds).finally(stop);
  if (own.cpu === undefined || other.cpu === undefined) {
    throw new Error('This system does not report the processor time of a process.');
  }
  return { server: own.cpu, baseline: other.cpu };
}

/**
 * Alternately stops and continues the two load generators. If the benchmark is killed, the stopped one stays behind, without using
 * processor time.
 *
 * @returns a function that continues both.
 */
function takeTurns(loads: readonly [ChildProcess, ChildProcess]): () => void {
  let [running, stopped] = loads;
  const switchLoads = () => {
    [running, stopped] = [stopped, running];
    stopped.kill('SIGSTOP');
    running.kill('SIGCONT');
  };
  const timer = setInterval(switchLoads, TURN);
  return () => {
    clearInterval(timer);
    for (const load of loads) load.kill('SIGCONT');
  };
}

async function measure(
  {
    load,
    token,
    options,
  }: Pick<AlternatingParts, 'options'> & { readonly load: ChildProcess; readonly token: string },
  { name, url, process: { pid } }: BenchServer,
  requests: LoadJob['requests'],
  seconds: number,
): Promise<Measurement> {
  const job: LoadJob = {
    url,
    requests,
    seconds,
    headers: headersOf(token),
    connections: options.connections,
  };
  const cpuBefore = cpuTimeOf(pid);
  const result = await runLoad(load, job);
  if (result.refused > 0 || result.failed > 0 || result.responses === 0) {
    throw new FailedRequestsError(
      `Requests to the ${name} failed: ${result.refused} of ${result.responses} responses are not 2xx, and ${result.failed} requests have none.`,
    );
  }
  const cpuAfter = cpuTimeOf(pid);
  const known = cpuBefore !== undefined && cpuAfter !== undefined;
  return { ...result, cpu: known ? (cpuAfter - cpuBefore) / result.responses : undefined };
}

/** Runs a job in the load generator. */
export async function runLoad(load: ChildProcess, job: LoadJob): Promise<LoadResult> {
  load.send(job);
  const ended = new AbortController();
  const died = once(load, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The load generator exited.');
  });
  died.catch(() => undefined);
  // The load generator sends one message per job: its result.
  const [result] = (await Promise.race([once(load, 'message'), died])) as [LoadResult];
  ended.abort();
  return result;
}
