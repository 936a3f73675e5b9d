/** Compares two server processes in turns, for differences of a few percent. */
import { CASES, type Case } from './cases.ts';
import { signIn } from './client.ts';
import type { BenchData } from './data.ts';
import { type Cores, chooseCores, endProcess } from './processes.ts';
import type { Progress } from './progress.ts';
import { type Alternating, measureAlternating, startLoad } from './rounds.ts';
import { type BenchServer, type ServerOptions, startServer } from './servers.ts';
import { meanOf, spreadOf } from './table.ts';

/**
 * The seconds that one pair of processes is measured, in turns, after the seconds of warm-up: tens of thousands of requests to each
 * server, after which V8 no longer compiles anything.
 */
export const PAIR_OPTIONS = { seconds: 4, warmUp: 12, connections: 16 };

/** One of the two servers. */
export interface Side extends ServerOptions {
  readonly name: string;
  /** Returns the token that clients send. If omitted, clients sign in as an administrator. */
  readonly token?: (url: string) => Promise<string>;
}

export interface Pairing {
  readonly one: Case;
  /** The server in question, and the one that it is compared with. */
  readonly sides: readonly [Side, Side];
  readonly pairs: number;
  /** Verifies that the two servers run as intended. */
  readonly check?: (first: BenchServer, second: BenchServer) => Promise<void>;
}

/** @throws Error for an unknown name. */
export function caseNamed(name: string): Case {
  const one = CASES.find((each) => each.name === name);
  if (!one) throw new Error(`There is no case ${name}.`);
  return one;
}

/**
 * Compares processor times. Two processes of the same program differ by a few percent for as long as they run, because of their memory
 * layout and of what V8 compiled when. The differences to measure are as small, so the result is the mean of many pairs of processes.
 *
 * @returns a sentence with the ratio. Above 1, the first server uses less time.
 */
export async function comparePairs(pairing: Pairing, data: BenchData, progress: Progress): Promise<string> {
  const { one, sides, pairs } = pairing;
  const cores = chooseCores();
  if (cores.servers === undefined) progress.note('Processes cannot be pinned to cores here: expect noise.');
  const times: Alternating[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const onProgress = (what: string) => progress.show(`pair ${pair} of ${pairs}, ${what}`);
    times.push(await measurePair(pairing, data, cores, onProgress, pair % 2 === 0));
  }
  const [first, second] = [times.map(({ server }) => server), times.map(({ baseline }) => baseline)];
  const ratios = times.map(({ server, baseline }) => baseline / server);
  const { mean, error } = meanOf(ratios);
  const { min, max } = spreadOf(ratios);
  const ratio = `${mean.toFixed(3)} ± ${error.toFixed(3)}, from ${min.toFixed(2)} to ${max.toFixed(2)} of ${pairs} pairs`;
  const [{ name }, { name: other }] = sides;
  return `${one.title}: ${microseconds(first)} of processor time ${name}, ${microseconds(second)} ${other} (${ratio}).`;
}

const microseconds = (times: readonly number[]) => `${meanOf(times).mean.toFixed(1)} µs`;

/** @param isReversed starts, warms up and measures the second server first, in case the order makes a difference. */
async function measurePair(
  { one, sides, check }: Pairing,
  data: BenchData,
  cores: Cores,
  onProgress: (what: string) => void,
  isReversed: boolean,
): Promise<Alternating> {
  const [first, second] = isReversed ? [sides[1], sides[0]] : sides;
  const server = await startServer(data, cores.servers, first);
  const baseline = await startServer(data, cores.servers, second);
  if (isReversed) await check?.(baseline, server);
  else await check?.(server, baseline);
  const loads = [startLoad(cores.load), startLoad(cores.load)] as const;
  const tokens = [
    await (first.token ?? signIn)(server.url),
    await (second.token ?? signIn)(baseline.url),
  ] as const;
  const { ids } = data;
  const options = PAIR_OPTIONS;
  const result = await measureAlternating(one, { server, baseline, loads, tokens, ids, options, onProgress });
  for (const child of [...loads, server.process, baseline.process]) await endProcess(child);
  return isReversed ? { server: result.baseline, baseline: result.server } : result;
}
