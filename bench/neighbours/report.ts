/** What the benchmark says: its tables, and which bounds are broken. */
import { formatColumns } from '../table.ts';
import type { ArrivalsResult } from './arrivals.ts';
import type { AttackResult } from './attackers.ts';
import type { Packed } from './packing.ts';

/** What was seen with one setting of the budgets. */
export interface Phase {
  readonly title: string;
  readonly idle: ArrivalsResult;
  readonly loaded: ArrivalsResult;
  readonly attacked: AttackResult;
}

/** How many times as long the neighbour's p99 may be under load. */
const MOST_RATIO = 5;
/** Milliseconds in which each probe must be answered: those who probe give up after a second, and restart what did not answer. */
const MOST_PROBE = 100;

/** What the server turns a caller away with. */
const TURNED_AWAY = ['429', '503'];

export function describeOperations(operations: readonly Packed[]): string {
  return formatColumns(
    ['operation', 'points', 'alone ms', 'status'],
    operations.map(({ name, points, alone, status }) => [
      name,
      String(points),
      alone?.toFixed(0) ?? 'too long',
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

/** Empty when all of them hold. */
export function brokenBounds({ idle, loaded, ...phase }: Phase): readonly string[] {
  const ratio = ratioOf({ idle, loaded, ...phase });
  const turnedAway = TURNED_AWAY.reduce((sum, status) => sum + (loaded.statuses[status] ?? 0), 0);
  const unanswered = totalOf(loaded) - (loaded.statuses['200'] ?? 0) - turnedAway;
  return [
    ratio < MOST_RATIO
      ? []
      : `the neighbour's p99 is ${ratio.toFixed(1)} times that without load, and must be below ${MOST_RATIO}`,
    turnedAway === 0 ? [] : `${turnedAway} requests of the neighbour were turned away with 429 or 503`,
    unanswered === 0 ? [] : `${unanswered} requests of the neighbour failed in another way`,
    loaded.failedProbes === 0 ? [] : `${loaded.failedProbes} probes were not answered with 200`,
    loaded.slowestProbe < MOST_PROBE
      ? []
      : `a probe took ${loaded.slowestProbe.toFixed(0)} ms, and must take below ${MOST_PROBE}`,
  ].flat();
}

const ratioOf = ({ idle, loaded }: Pick<Phase, 'idle' | 'loaded'>) => loaded.p99 / idle.p99;

const rateOf = (attacked: AttackResult) => totalOf(attacked) / attacked.seconds;

const latencies = ({ p50, p99, slowest }: ArrivalsResult) =>
  [p50, p99, slowest].map((each) => each.toFixed(1));

type Counted = Pick<ArrivalsResult, 'statuses' | 'failed'>;

const totalOf = ({ statuses, failed }: Counted) =>
  Object.values(statuses).reduce((sum, count) => sum + count, failed);

/** `200: 990, 503: 10, failed: 2` */
function countsOf({ statuses, failed }: Counted): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [...counts, ...(failed > 0 ? [`failed: ${failed}`] : [])].join(', ');
}
