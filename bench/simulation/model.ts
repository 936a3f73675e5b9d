/**
 * Estimates the machines that a load requires from the cost of one request in each. The model is linear: it ignores costs that grow with
 * the load, such as waiting for locks, and the network between machines.
 */

/** The cost of one request. Times are milliseconds of a core. */
export interface Cost {
  readonly instance: number;
  readonly primary: number;
  /** In the replica that is read or, for a write, in every replica. */
  readonly replica: number;
  readonly redis: number;
  /** In the client, which matters if it runs on the same machine. */
  readonly client: number;
  /** Bytes of the response, including headers. */
  readonly bytes: number;
}

export interface Kind {
  readonly title: string;
  /** Its share of all requests, from 0 to 1. */
  readonly share: number;
  readonly isChange: boolean;
  readonly cost: Cost;
}

export interface Hardware {
  /** The maximum average utilization of a core, from 0 to 1. */
  readonly utilization: number;
  /** Cores per PostgreSQL server. */
  readonly databaseCores: number;
}

export interface Plan {
  /** Instances with one core each, at least two. */
  readonly instances: number;
  /** Primaries with their replicas. More than one if a single primary, or a replica's single replay process, is too slow. */
  readonly clusters: number;
  /** Cores per primary. */
  readonly primaryCores: number;
  /** Replicas per primary: at least two, so that commits can wait for one while the other is down. */
  readonly replicas: number;
  /** Redis servers, which use one core each. */
  readonly redis: number;
  /** Megabits a second. */
  readonly egress: number;
}

/** The mean of a cost over all requests. For a subset of the kinds, their contribution to that mean. */
export const requestCost = (kinds: readonly Kind[], of: (cost: Cost) => number): number =>
  kinds.reduce((sum, { share, cost }) => sum + share * of(cost), 0);

/** In a replica, a single process replays all changes of the primary. */
export const REPLAYING_CORES = 1;

/** @param rate requests a second. */
export function plan(kinds: readonly Kind[], rate: number, hardware: Hardware): Plan {
  const { utilization, databaseCores } = hardware;
  const total = (of: (cost: Cost) => number, among = kinds) => rate * requestCost(among, of);
  const cores = (of: (cost: Cost) => number, among = kinds) => total(of, among) / 1000 / utilization;
  const reading = cores(
    ({ replica }) => replica,
    kinds.filter(({ isChange }) => !isChange),
  );
  const replaying = cores(
    ({ replica }) => replica,
    kinds.filter(({ isChange }) => isChange),
  );
  const primary = cores((cost) => cost.primary);
  const clusters = Math.max(1, Math.ceil(primary / databaseCores), Math.ceil(replaying / REPLAYING_CORES));
  return {
    instances: Math.max(2, Math.ceil(cores(({ instance }) => instance))),
    clusters,
    primaryCores: Math.max(1, Math.ceil(primary / clusters)),
    replicas: Math.max(2, Math.ceil(reading / (clusters * databaseCores - replaying))),
    redis: Math.max(1, Math.ceil(cores(({ redis }) => redis))),
    egress: total(({ bytes }) => bytes * 8) / 1e6,
  };
}

/** Prices in any currency. */
export interface Prices {
  /** A core with its memory, per month. */
  readonly core: number;
  /** A terabyte of outgoing traffic. */
  readonly terabyte: number;
}

const SECONDS_A_MONTH = 30 * 24 * 3600;

/** Returns the monthly cost of a plan, in the currency of the prices. Assumes that the load is constant. */
export function costOf(
  { instances, clusters, replicas, redis, egress }: Plan,
  hardware: Hardware,
  prices: Prices,
): number {
  const cores = instances + clusters * (1 + replicas) * hardware.databaseCores + redis;
  return cores * prices.core + ((egress / 8) * SECONDS_A_MONTH * prices.terabyte) / 1e6;
}

/** One machine that runs everything: instances, databases, Redis and the clients. */
export interface SharedMachine {
  /** Each worker uses at most one core. */
  readonly workers: number;
  readonly cores: number;
}

/**
 * Returns the maximum requests a second on one machine, at which all workers or all cores are busy.
 *
 * @param kinds the kinds of requests, whose shares add up to 1.
 */
export function maxRate(kinds: readonly Kind[], { workers, cores }: SharedMachine): number {
  const total = (of: (cost: Cost) => number) => requestCost(kinds, of) / 1000;
  const all = ({ instance, primary, replica, redis, client }: Cost) =>
    instance + primary + replica + redis + client;
  return Math.min(workers / total(({ instance }) => instance), cores / total(all));
}
