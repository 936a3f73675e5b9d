/** The results of a run, in the format of the results file. */
import { meanOf, spreadOf } from '../table.ts';
import type { Engine, Peer } from './contestants.ts';
import type { Round } from './rounds.ts';

export interface Estimate {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly error: number;
}

export interface PairResult {
  readonly engine: Engine;
  readonly caseName: string;
  readonly caseTitle: string;
  readonly peer: Peer;
  /**
   * The number of requests that Portico serves in the processor time in which the peer serves one: the ratio of the peer's processor time
   * to Portico's, as the mean over the rounds.
   */
  readonly ratio: Estimate;
  /** The mean ratio of each pair of processes. */
  readonly ratioOfProcesses: readonly number[];
  /** Median microseconds of processor time per request. */
  readonly cpu: Sides;
  /** Medians. */
  readonly requestsPerSecond: Sides;
  /** Instructions per request, if they were counted. */
  readonly instructions?: Sides;
}

export interface Sides {
  readonly portico: number;
  readonly peer: number;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** GiB. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly sqlite: string;
  readonly postgres: string | undefined;
  /** The one-minute load average at the start and at the end. */
  readonly load: readonly [start: number, end: number];
}

export interface Run {
  readonly commit: string;
  /** Whether files differed from that commit. */
  readonly modified: boolean;
  /** RFC 3339. */
  readonly at: string;
  readonly machine: Machine;
  readonly options: {
    readonly rounds: number;
    readonly processes: number;
    readonly seconds: number;
    readonly warmUp: number;
    readonly orders: number;
    readonly connections: number;
  };
  readonly results: readonly PairResult[];
}

/** @param processes the rounds of each pair of processes. */
export function summarize(
  names: Pick<PairResult, 'engine' | 'caseName' | 'caseTitle' | 'peer'>,
  processes: readonly (readonly Round[])[],
): PairResult {
  const rounds = processes.flat();
  const median = (read: (round: Round) => number) => spreadOf(rounds.map(read)).median;
  const ratiosOf = (some: readonly Round[]) => some.map(({ portico, peer }) => peer.cpu / portico.cpu);
  const ratioOfProcesses = processes.map((some) => mean(ratiosOf(some)));
  return {
    ...names,
    ratio: estimate(ratiosOf(rounds), ratioOfProcesses),
    ratioOfProcesses,
    cpu: { portico: median(({ portico }) => portico.cpu), peer: median(({ peer }) => peer.cpu) },
    requestsPerSecond: {
      portico: median(({ portico }) => portico.requestsPerSecond),
      peer: median(({ peer }) => peer.requestsPerSecond),
    },
  };
}

/**
 * Rounds of the same two processes are not independent: they share the memory layout and what V8 compiled when. With several pairs of
 * processes, the error is therefore the larger one of those over the rounds and over the processes.
 */
function estimate(ofRounds: readonly number[], ofProcesses: readonly number[]): Estimate {
  const { mean: value, error } = meanOf(ofRounds);
  const between = ofProcesses.length > 1 ? meanOf(ofProcesses).error : 0;
  return { mean: value, error: Math.max(error, between) };
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
