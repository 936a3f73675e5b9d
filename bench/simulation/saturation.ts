/** What reaches its end first when a load grows, among what more machines of its kind do not help. */
import { type Hardware, type Kind, REPLAYING_CORES, requestCost } from './model.ts';

/** How a load is distributed over organisations. */
export interface Tenants {
  readonly organisations: number;
  /**
   * The exponent of Zipf's law: the organisation of rank `k` has a part in proportion to `1 / k ** skew`. With 0 all are alike; 1
   * is usual for the customers of a service.
   */
  readonly skew: number;
  /** Changes a second that one organisation can make. They are one after the other, for each takes its place in the log. */
  readonly changesOfOne: number;
}

export interface End {
  readonly what: string;
  /** Requests a second, of all organisations together, at which it is reached. */
  readonly rate: number;
}

/** The part of the largest organisation in all requests, from 0 to 1. */
export function largestShare({ organisations, skew }: Pick<Tenants, 'organisations' | 'skew'>): number {
  let all = 0;
  for (let rank = 1; rank <= organisations; rank += 1) all += rank ** -skew;
  return 1 / all;
}

/** @returns the ends, the first one first. */
export function endsOf(
  kinds: readonly Kind[],
  { utilization, databaseCores }: Hardware,
  tenants: Tenants,
): End[] {
  const changes = kinds.filter(({ isChange }) => isChange);
  const changeShare = changes.reduce((sum, { share }) => sum + share, 0);
  const rateOf = (cores: number, milliseconds: number) => (cores * utilization * 1000) / milliseconds;
  const ends = [
    {
      what: 'the largest organisation: its changes are one after the other',
      rate: tenants.changesOfOne / (changeShare * largestShare(tenants)),
    },
    {
      what: `the primary, with ${databaseCores} cores`,
      rate: rateOf(
        databaseCores,
        requestCost(kinds, ({ primary }) => primary),
      ),
    },
    {
      what: 'a replica: one process replays all changes',
      rate: rateOf(
        REPLAYING_CORES,
        requestCost(changes, ({ replica }) => replica),
      ),
    },
    {
      what: 'Redis, with one core',
      rate: rateOf(
        1,
        requestCost(kinds, ({ redis }) => redis),
      ),
    },
  ];
  return ends.toSorted((one, other) => one.rate - other.rate);
}
