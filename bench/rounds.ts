import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Case } from './cases.ts';
import { headersOf } from './client.ts';
import { cpuTimeOf } from './cpu-time.ts';
import type { SeededIds } from './data.ts';
import type { LoadJob, LoadResult } from './load.ts';
import type { Options } from './options.ts';
import { startNode } from './processes.ts';
import type { BenchServer } from './servers.ts';

/** What was measured in one round. */
export interface Measurement extends LoadResult {
  /** Microseconds of processor time for each request; undefined where the system does not tell. */
  readonly cpu: number | undefined;
}

/** What was measured of one case: the results of each server, in the order of the rounds. */
export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly server: readonly Measurement[];
  /** What it is compared with; empty where that has no such case. */
  readonly baseline: readonly Measurement[];
}

/** Something that was asked for was not answered, so that the rates mean nothing. */
export class UnansweredError extends Error {}

export const startLoad = (core: number | undefined): ChildProcess =>
  startNode([fileURLToPath(new URL('load.ts', import.meta.url))], {}, core);

export interface RoundsParts {
  readonly server: BenchServer;
  /** What the server is compared with. */
  readonly baseline: BenchServer;
  readonly load: ChildProcess;
  readonly token: string;
  readonly ids: SeededIds;
  readonly options: Options;
  readonly onProgress: (what: string) => void;
}

/**
 * Measures a case: the server and the baseline by turns, so that what else happens on the machine meets both. Who
 * begins changes with each round.
 */
export async function measureCase(one: Case, parts: RoundsParts): Promise<CaseResult> {
  const { server, baseline, options, onProgress } = parts;
  const requests = one.requests(parts.ids);
  const measured = one.isPaired ? [server, baseline] : [server];
  const results = new Map<BenchServer, Measurement[]>(measured.map((target) => [target, []]));
  for (const target of measured) {
    onProgress(`${one.name}: warming up the ${target.name}`);
    await measure(parts, target, requests, options.warmUp);
  }
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const target of round % 2 === 1 ? measured : measured.toReversed()) {
      onProgress(`${one.name}: round ${round} of ${options.rounds}, ${target.name}`);
      results.get(target)?.push(await measure(parts, target, requests, options.seconds));
    }
  }
  const { name, title } = one;
  return { name, title, server: results.get(server) ?? [], baseline: results.get(baseline) ?? [] };
}

/** As for {@link measureCase}, with a load generator for each. */
export interface TogetherParts extends Omit<RoundsParts, 'load'> {
  readonly loads: readonly [server: ChildProcess, baseline: ChildProcess];
}

/**
 * Measures a case: the server and the baseline at once, bound to one core. The system changes between them every few milliseconds,
 * so that however fast the machine is at the moment, it is so for both, and the processor time that each takes for a request
 * can be compared to a hundredth.
 */
export async function measureTogether(one: Case, parts: TogetherParts): Promise<CaseResult> {
  const { server, baseline, loads, options, onProgress } = parts;
  const requests = one.requests(parts.ids);
  const both = (seconds: number) =>
    Promise.all([
      measure({ ...parts, load: loads[0] }, server, requests, seconds),
      measure({ ...parts, load: loads[1] }, baseline, requests, seconds),
    ]);
  onProgress(`${one.name}: warming up`);
  await both(options.warmUp);
  const results = { server: [] as Measurement[], baseline: [] as Measurement[] };
  for (let round = 1; round <= options.rounds; round += 1) {
    onProgress(`${one.name}: round ${round} of ${options.rounds}`);
    const [own, other] = await both(options.seconds);
    results.server.push(own);
    results.baseline.push(other);
  }
  return { name: one.name, title: one.title, ...results };
}

async function measure(
  { load, token, options }: Pick<RoundsParts, 'load' | 'token' | 'options'>,
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
