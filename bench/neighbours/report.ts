/** The report of the benchmark: its tables and the exceeded limits. */
import { formatColumns } from '../table.ts';
import type { ArrivalsResult } from './arrivals.ts';
import type { AttackResult } from './attackers.ts';
import type { Packed } from './packing.ts';

/** The measurements with one setting of the budgets. */
export interface Phase {
  readonly title: string;
  readonly idle: ArrivalsResult;
  readonly loaded: ArrivalsResult;
  readonly attacked: AttackResult;
}

/** The maximum ratio of the neighbour's p99 under load and without it. */
const MAX_RATIO = 5;
/** The maximum milliseconds for a probe. Orchestrators time out after a second by default, and restart a server that does not respond. */
const MAX_PROBE_TIME = 100;

/** The statuses with which the server rejects requests because of limits or load. */
const REJECTED = ['429', '503'];

export function describeOperations(operations: readonly Packed[]): string {
  return formatColumns(
    ['operation', 'points', 'alone ms', 'status'],
    operations.map(({ name, points, alone, status }) => [
      name,
      String(points),
      alone?.toFixed(0) ?? 'timeout',
      status?.toString() ?? '',
    ]),
  );
}

export function describePhases(phases: readonly Phase[]): string {
  return formatColumns(
    ['', 'p50 ms', 'p99 ms', 'slowest', 'ratio of p99', 'healthz ms', 'attacks/s', 'responses'],
    phases.flatMap((phase) => {
      const { title, idle, loaded, attacked } = phase;
      return [
        [`${title}, idle`, ...latencies(idle), '', idle.slowestProbe.toFixed(0), '', countsOf(idle)],
        [
          '  under load',
          ...latencies(loaded),
          ratioOf(phase).toFixed(1),
          loaded.slowestProbe.toFixed(0),
          '',
          countsOf(loaded),
        ],
        ['  attackers', '', '', '', '', '', rateOf(attacked).toFixed(0), countsOf(attacked)],
      ];
    }),
  );
}

/** Describes each exceeded limit. */
export function exceededLimits({ idle, loaded, ...phase }: Phase): readonly string[] {
  const ratio = ratioOf({ idle, loaded, ...phase });
  const rejected = REJECTED.reduce((sum, status) => sum + (loaded.statuses[status] ?? 0), 0);
  const failed = totalOf(loaded) - (loaded.statuses['200'] ?? 0) - rejected;
  return [
    ratio < MAX_RATIO
      ? []
      : `the neighbour's p99 is ${ratio.toFixed(1)} times its p99 without load; the limit is ${MAX_RATIO}`,
    rejected === 0 ? [] : `${rejected} requests of the neighbour were rejected with 429 or 503`,
    failed === 0 ? [] : `${failed} requests of the neighbour failed in another way`,
    loaded.failedProbes === 0 ? [] : `${loaded.failedProbes} probes did not return 200`,
    loaded.slowestProbe < MAX_PROBE_TIME
      ? []
      : `a probe took ${loaded.slowestProbe.toFixed(0)} ms; the limit is ${MAX_PROBE_TIME}`,
  ].flat();
}

const ratioOf = ({ idle, loaded }: Pick<Phase, 'idle' | 'loaded'>) => loaded.p99 / idle.p99;

const rateOf = (attacked: AttackResult) => totalOf(attacked) / attacked.seconds;

const latencies = ({ p50, p99, slowest }: ArrivalsResult) =>
  [p50, p99, slowest].map((each) => each.toFixed(1));

type Counted = Pick<ArrivalsResult, 'statuses' | 'failed'>;

const totalOf = ({ statuses, failed }: Counted) =>
  Object.values(statuses).reduce((sum, count) => sum + count, failed);

/** Formats counts, such as `200: 990, 503: 10, failed: 2`. */
function countsOf({ statuses, failed }: Counted): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [...counts, ...(failed > 0 ? [`failed: ${failed}`] : [])].join(', ');
}
