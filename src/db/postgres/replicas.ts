/** Streaming replicas: chooses the replica for a read by how far each has replayed the write-ahead log of the primary. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { sharedRun, waitAtMost } from '../../core/promises.ts';
import type { Replica, Replicas } from '../database.ts';
import { reaches, UNKNOWN_WAL_POSITION, type WalPosition } from '../wal-position.ts';
import { type PoolOptions, PostgresPool } from './pool.ts';

/** A position of the primary, and when it was read. */
interface Sample {
  readonly at: number;
  readonly position: WalPosition;
}

/** The number of samples that are kept: those within the allowed lag of a replica, and one more. */
const KEPT = Math.ceil(LIMITS.replicaLag / LIMITS.replicaPoll) + 1;

/** Milliseconds between two queries of a replica that a caller waits for. */
const PAUSE = 5;

/** The URLs of the replicas, and the options of the connections to each. */
interface ReplicaOptions extends Omit<PoolOptions, 'url' | 'acceptsReplica' | 'onBroken'> {
  readonly urls: readonly string[];
  /** Queries the current position of the primary. */
  readonly primaryPosition: () => Promise<WalPosition>;
}

export class PostgresReplicas implements Replicas {
  readonly #replicas: readonly PostgresReplica[];
  readonly #askPrimary: () => Promise<WalPosition>;
  readonly #samples: Sample[] = [];
  readonly #poll: NodeJS.Timeout;
  #next = 0;

  constructor({ urls, primaryPosition, ...options }: ReplicaOptions) {
    this.#askPrimary = primaryPosition;
    this.#replicas = urls.map((url) => new PostgresReplica({ url, acceptsReplica: true, ...options }));
    this.#poll = setInterval(() => void this.#look(), LIMITS.replicaPoll);
    this.#poll.unref();
    void this.#look();
  }

  async choose(position: WalPosition | undefined): Promise<PostgresReplica | undefined> {
    if (position === UNKNOWN_WAL_POSITION) return undefined;
    const usable = this.#replicas.filter((replica) => this.#isUsable(replica));
    if (usable.length === 0) return undefined;
    // Rotates over the usable replicas.
    this.#next = (this.#next + 1) % usable.length;
    const rotated = [...usable.slice(this.#next), ...usable.slice(0, this.#next)];
    const ready = rotated.find((replica) => position === undefined || replica.hasReplayed(position));
    const [first] = rotated;
    if (ready || position === undefined || !first) return ready;
    return (await this.#wait(first, position, LIMITS.replicaPatience)) ? first : undefined;
  }

  primaryPosition(): Promise<WalPosition> {
    return this.#askPrimary().catch(() => UNKNOWN_WAL_POSITION);
  }

  async caughtUp(position: WalPosition): Promise<void> {
    const there = this.#replicas.filter(({ replayed }) => replayed !== undefined);
    await Promise.all(there.map((replica) => this.#wait(replica, position, LIMITS.replicaCatchUp)));
  }

  /** Waits until a replica has replayed up to the position. Returns false if it has not after `patience` milliseconds. */
  async #wait(replica: PostgresReplica, position: WalPosition, patience: number): Promise<boolean> {
    const end = monotonicTime() + patience;
    for (;;) {
      await waitAtMost(Math.max(0, end - monotonicTime()), replica.look());
      if (replica.hasReplayed(position)) return true;
      if (monotonicTime() + PAUSE >= end) return false;
      await sleep(PAUSE);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    await Promise.all(this.#replicas.map(({ pool }) => pool.close()));
  }

  async #look(): Promise<void> {
    const looks = this.#replicas.map((replica) => replica.look());
    try {
      const position = await this.#askPrimary();
      this.#samples.push({ at: monotonicTime(), position });
      if (this.#samples.length > KEPT) this.#samples.shift();
    } catch {
      // Without a primary nothing is written, so the lag of the replicas does not change.
    }
    await Promise.all(looks);
  }

  /** False for a replica that is unreachable, or that lags too far behind for callers that have written nothing. */
  #isUsable({ replayed }: PostgresReplica): boolean {
    if (replayed === undefined) return false;
    const missing = this.#samples.find(({ position }) => !reaches(replayed, position));
    return missing === undefined || monotonicTime() - missing.at < LIMITS.replicaLag;
  }
}

export class PostgresReplica implements Replica {
  readonly pool: PostgresPool;
  /** The position that it had replayed when it was last queried; undefined while it is unreachable. */
  replayed: WalPosition | undefined;

  constructor(options: PoolOptions) {
    // After a crash, a replica may serve reads before it has replayed up to its former position.
    this.pool = new PostgresPool({ ...options, onBroken: () => this.lost() });
  }

  hasReplayed(position: WalPosition): boolean {
    return this.replayed !== undefined && reaches(this.replayed, position);
  }

  /** Marks the replica as unreachable: it is not read until it responds again. */
  lost(): void {
    this.replayed = undefined;
  }

  /** Queries the replayed position. Concurrent calls share one query. It never rejects. */
  readonly look = sharedRun(() => this.#ask());

  async #ask(): Promise<void> {
    try {
      this.replayed = await this.pool.use((connection) => connection.replayed());
    } catch {
      this.lost();
    }
  }
}
