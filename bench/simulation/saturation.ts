/** The limits of one cluster: the resources that saturate when the load grows, and that more instances and replicas do not increase. */
import { type Hardware, type Kind, REPLAYING_CORES, requestCost } from './model.ts';

/** The distribution of the load over organisations. */
export interface Tenants {
  readonly organisations: number;
  /**
   * The exponent of Zipf's law: the share of the organisation of rank `k` is proportional to `1 / k ** skew`. With 0, all are equal;
   * 1 is typical for the customers of a service.
   */
  readonly skew: number;
  /** The maximum writes a second of one organisation, which are sequential because each appends to its event log. */
  readonly changesOfOne: number;
}

export interface ClusterLimit {
  readonly what: string;
  /** Requests a second of all organisations together at which the limit is reached. */
  readonly rate: number;
}

/** Returns the share of the largest organisation in all requests, from 0 to 1. */
export function largestShare({ organisations, skew }: Pick<Tenants, 'organisations' | 'skew'>): number {
  let all = 0;
  for (let rank = 1; rank <= organisations; rank += 1) all += rank ** -skew;
  return 1 / all;
}

/** Returns the limits in the order in which they are reached. */
export function limitsOf(
  kinds: readonly Kind[],
  { utilization, databaseCores }: Hardware,
  tenants: Tenants,
): ClusterLimit[] {
  const changes = kinds.filter(({ isChange }) => isChange);
  const changeShare = changes.reduce((sum, { share }) => sum + share, 0);
  const rateOf = (cores: number, milliseconds: number) => (cores * utilization * 1000) / milliseconds;
  const limits = [
    {
      what: 'the largest organisation: its writes are sequential',
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
      what: 'a replica: a single process replays all changes',
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
  return limits.toSorted((one, other) => one.rate - other.rate);
}
