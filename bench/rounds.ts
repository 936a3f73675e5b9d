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

/** What was measured in one round. */
export interface Measurement extends LoadResult {
  /** Microseconds of processor time for each request; undefined where the system does not tell. */
  readonly cpu: number | undefined;
}

/** Something that was asked for was not answered, so that the rates mean nothing. */
export class UnansweredError extends Error {}

export const startLoad = (core: number | undefined): ChildProcess =>
  startNode([fileURLToPath(new URL('load.ts', import.meta.url))], {}, core);

export interface AlternatingParts {
  readonly server: BenchServer;
  /** What the server is compared with. */
  readonly baseline: BenchServer;
  /** A load generator for each. */
  readonly loads: readonly [server: ChildProcess, baseline: ChildProcess];
  /** What clients of each send. */
  readonly tokens: readonly [server: string, baseline: string];
  readonly ids: SeededIds;
  readonly options: {
    /** Connections that are kept alive, one request on each at a time. */
    readonly connections: number;
    readonly seconds: number;
    /** Seconds of load before anything counts. */
    readonly warmUp: number;
  };
  readonly onProgress: (what: string) => void;
}

/** Microseconds of processor time for a request. */
export interface Alternating {
  readonly server: number;
  readonly baseline: number;
}

/** Milliseconds of one turn: long against what a change costs, and short against the whims of a machine that others use as well. */
const TURN = 50;

/**
 * Measures the processor time that a request of a case takes of the server and of the baseline, by turns so short that however
 * fast the machine is at the moment, it is so for both. Each has connections that stay open, and its load generator rests
 * during the turns of the other, so neither rates nor latencies mean anything here.
 *
 * @throws Error where the system does not tell processor times.
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
    throw new Error('This system does not tell what processor time a process has taken.');
  }
  return { server: own.cpu, baseline: other.cpu };
}

/**
 * A benchmark that is killed leaves a load generator that rests behind, stopped, with nothing to do.
 *
 * @returns what lets both go on.
 */
function takeTurns(loads: readonly [ChildProcess, ChildProcess]): () => void {
  let [working, resting] = loads;
  const change = () => {
    [working, resting] = [resting, working];
    resting.kill('SIGSTOP');
    working.kill('SIGCONT');
  };
  const timer = setInterval(change, TURN);
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
  if (result.refused > 0 || result.failed > 0 || result.answers === 0) {
    throw new UnansweredError(
      `The ${name} did not answer everything: ${result.refused} of ${result.answers} answers were no 2xx, ${result.failed} requests failed.`,
    );
  }
  const cpuAfter = cpuTimeOf(pid);
  const known = cpuBefore !== undefined && cpuAfter !== undefined;
  return { ...result, cpu: known ? (cpuAfter - cpuBefore) / result.answers : undefined };
}

/** Has the load generator do a job. */
export async function runLoad(load: ChildProcess, job: LoadJob): Promise<LoadResult> {
  load.send(job);
  const ended = new AbortController();
  const died = once(load, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The load generator ended.');
  });
  died.catch(() => undefined);
  // The load generator answers each job with its result, and sends nothing else.
  const [result] = (await Promise.race([once(load, 'message'), died])) as [LoadResult];
  ended.abort();
  return result;
}
