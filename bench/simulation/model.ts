/**
 * How many machines a load takes, from what one request costs each of them. It is linear: costs that grow with the load, such as
 * waiting for locks, and the network between machines are not in it.
 */

/** What one request takes. */
export interface Cost {
  /** Milliseconds of a core. */
  readonly instance: number;
  readonly primary: number;
  /** Of the replica that is read, or, for a change, of every replica. */
  readonly replica: number;
  readonly redis: number;
  /** Of what sends it, which counts where it runs on the same machine. */
  readonly client: number;
  /** Bytes of the response, headers included. */
  readonly bytes: number;
}

export interface Kind {
  readonly title: string;
  /** Its part of all requests, from 0 to 1. */
  readonly share: number;
  readonly isChange: boolean;
  readonly cost: Cost;
}

export interface Hardware {
  /** How busy a core may be on average, from 0 to 1. */
  readonly utilization: number;
  /** Cores of each server of PostgreSQL. */
  readonly databaseCores: number;
}

export interface Plan {
  /** Of one core each, two at least. */
  readonly instances: number;
  /** Groups of organisations, each with a primary and replicas of its own: as many as one primary, or one replay, is too little for. */
  readonly clusters: number;
  /** Cores of each primary. */
  readonly primaryCores: number;
  /** Of each primary: two at least, so that commits can wait for one while the other is away. */
  readonly replicas: number;
  /** Each uses one core. */
  readonly redis: number;
  /** Megabits a second. */
  readonly egress: number;
}

/** A part of what a request takes, on average over all; of some kinds, as much as they have of that. */
export const requestCost = (kinds: readonly Kind[], of: (cost: Cost) => number): number =>
  kinds.reduce((sum, { share, cost }) => sum + share * of(cost), 0);

/** One process of a replica replays all changes of its primary. */
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

/** What a month costs. */
export interface Prices {
  /** Of a core, with its memory. */
  readonly core: number;
  /** Of a terabyte that leaves. */
  readonly terabyte: number;
}

const SECONDS_A_MONTH = 30 * 24 * 3600;

/** What the machines of a plan cost in a month, in the currency of the prices: the load is taken to be the same day and night. */
export function costOf(
  { instances, clusters, replicas, redis, egress }: Plan,
  hardware: Hardware,
  prices: Prices,
): number {
  const cores = instances + clusters * (1 + replicas) * hardware.databaseCores + redis;
  return cores * prices.core + ((egress / 8) * SECONDS_A_MONTH * prices.terabyte) / 1e6;
}

/** One machine for everything: instances, databases, Redis and the clients. */
export interface SharedMachine {
  /** Each uses one core at most. */
  readonly workers: number;
  readonly cores: number;
}

/**
 * @param kinds whose shares are 1 together.
 * @returns requests a second of clients that wait for each response: until the workers are busy, or all cores.
 */
export function mostOf(kinds: readonly Kind[], { workers, cores }: SharedMachine): number {
  const total = (of: (cost: Cost) => number) => requestCost(kinds, of) / 1000;
  const all = ({ instance, primary, replica, redis, client }: Cost) =>
    instance + primary + replica + redis + client;
  return Math.min(workers / total(({ instance }) => instance), cores / total(all));
}
