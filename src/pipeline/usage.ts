/** Counts what callers use, by organisation and day, beside the requests: no request waits for a count to be written, and none fails with it. */
import { randomUUID } from 'node:crypto';
import { countedCredentialsOf } from '../auth/origins.ts';
import type { Principal } from '../auth/policy.ts';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { DAY } from '../core/limits/units.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import { recordCountBatch } from '../db/queries/count-writers.ts';
import { addDeprecatedUses, type DeprecatedUse } from '../db/queries/deprecated-uses.ts';
import { addOperationUses, type OperationUse } from '../db/queries/operation-uses.ts';
import { type Door, UNKNOWN_OPERATION } from '../observability/metrics.ts';

/** Points that were spent on an operation. */
export interface SpentPoints {
  readonly door: Door;
  /** Null and undefined for a document that names none. */
  readonly name: string | null | undefined;
  readonly at: Date;
  readonly points: number;
}

/** What became of one request for an operation. */
export interface UsedOperation extends SpentPoints {
  readonly isError: boolean;
}

/** @param principal null for a caller without credentials, who is of no organisation and not counted. */
export type NoteOperation = (principal: Principal | null, used: UsedOperation) => void;

/** Of what is no request: the events of a stream. */
export type NotePoints = (principal: Principal, spent: SpentPoints) => void;

type Counting<Use> = { -readonly [Name in keyof Use]: Use[Name] };

export interface UsageOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Called for each round of writing that failed. What was counted is kept for the next one, unless the database refuses it. */
  readonly onFailure: (error: unknown) => void;
}

export class Usage {
  readonly #options: UsageOptions;
  readonly #operations = new Counts<Counting<OperationUse>>(addOperationUses, (one, other) => ({
    ...one,
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    points: one.points + other.points,
  }));
  readonly #deprecated = new Counts<DeprecatedUse>(addDeprecatedUses, (one, other) => ({
    ...one,
    uses: one.uses + other.uses,
    lastUsedAt: one.lastUsedAt > other.lastUsedAt ? one.lastUsedAt : other.lastUsedAt,
  }));
  readonly #names = new DailyNames();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  /** Counts one request. */
  readonly noteOperation: NoteOperation = (principal, used) => {
    const use = principal && this.#counted(principal.org, used);
    if (!use) return;
    use.requests += 1;
    use.errors += used.isError ? 1 : 0;
    use.points += Math.round(used.points);
  };

  readonly notePoints: NotePoints = ({ org }, spent) => {
    const use = this.#counted(org, spent);
    if (use) use.points += Math.round(spent.points);
  };

  /** What a request adds to; made for the first one. Undefined for commands of an operator, and while too much waits to be written. */
  #counted(org: string, { door, name, at }: SpentPoints): Counting<OperationUse> | undefined {
    if (door === 'command') return undefined;
    const day = dayOf(at);
    const operation = this.#names.admit(org, day, name ?? '');
    const key = `${org} ${day} ${door} ${operation}`;
    return (
      this.#operations.find(key) ??
      this.#operations.add(key, {
        org,
        day: new Date(day),
        door,
        operation,
        requests: 0,
        errors: 0,
        points: 0,
      })
    );
  }

  /** Counts one request that used what these names stand for: routes, or coordinates of the schema. */
  noteDeprecated(principal: Principal, names: readonly string[]): void {
    const lastUsedAt = this.#options.clock();
    const day = dayOf(lastUsedAt);
    const { org, userId: actorId } = principal;
    const counted = countedCredentialsOf(principal);
    if (!counted) return;
    const { credentials, credentialsId } = counted;
    for (const name of names) {
      this.#deprecated.add(`${org} ${day} ${actorId} ${credentials} ${credentialsId} ${name}`, {
        org,
        day: new Date(day),
        name,
        actorId,
        ...counted,
        uses: 1,
        lastUsedAt,
      });
    }
  }

  /** Writes what was counted from time to time. */
  start(): void {
    this.#timer ??= setInterval(() => void this.write(), LIMITS.usageInterval).unref();
  }

  /** Writes what was counted so far. */
  write(): Promise<void> {
    const { database, clock, onFailure } = this.#options;
    this.#writing = this.#writing
      .then(() => this.#operations.write(database, clock()))
      .then(() => this.#deprecated.write(database, clock()))
      .catch(onFailure);
    return this.#writing;
  }

  /** Writes for the last time, where it was started. */
  async stop(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.write();
  }
}

/** Uses that are written in one transaction. */
interface Batch<Use> {
  readonly number: number;
  readonly uses: readonly [key: string, use: Use][];
}

/** Counts by key, until they are written. */
class Counts<Use> {
  readonly #writer = randomUUID();
  readonly #uses = new Map<string, Use>();
  /** Of which it is not known whether it was written: a connection may break after the commit. It is tried again as it is. */
  #unsettled: Batch<Use> | undefined;
  #batches = 0;
  readonly #insert: (tx: Transaction, uses: readonly Use[]) => Promise<void>;
  readonly #sum: (earlier: Use, later: Use) => Use;

  constructor(
    insert: (tx: Transaction, uses: readonly Use[]) => Promise<void>,
    sum: (earlier: Use, later: Use) => Use,
  ) {
    this.#insert = insert;
    this.#sum = sum;
  }

  /** What is not being written. */
  find(key: string): Use | undefined {
    return this.#uses.get(key);
  }

  /** @returns what is counted now; undefined where too much waits already. */
  add(key: string, use: Use): Use | undefined {
    const known = this.#uses.get(key);
    if (known === undefined && this.#uses.size >= LIMITS.usageWaiting) return undefined;
    const sum = known === undefined ? use : this.#sum(known, use);
    this.#uses.set(key, sum);
    return sum;
  }

  /**
   * In the order of the keys, which is the same for all instances: two that write the same rows do not wait for each other. After a
   * refusal each use is written by itself, and one that is refused is dropped: it would keep back all others from then on.
   *
   * @throws the last error, after which all that can be written later is kept.
   */
  async write(database: Database, now: Date): Promise<void> {
    const uses = [...this.#uses].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#uses.clear();
    let size: number = LIMITS.usageBatch;
    let refusal: unknown;
    while (this.#unsettled || uses.length > 0) {
      const batch = this.#unsettled ?? { number: ++this.#batches, uses: uses.splice(0, size) };
      this.#unsettled = undefined;
      try {
        await this.#writeBatch(database, batch, now);
      } catch (error) {
        if (!isRefusal(error)) {
          this.#unsettled = batch;
          for (const [key, use] of uses) this.add(key, use);
          throw error;
        }
        refusal = error;
        if (batch.uses.length === 1) continue;
        uses.unshift(...batch.uses);
        size = 1;
      }
    }
    if (refusal !== undefined) throw refusal;
  }

  #writeBatch(database: Database, { number, uses }: Batch<Use>, now: Date): Promise<void> {
    return database.transaction(async (tx) => {
      const isNew = await recordCountBatch(tx, { writer: this.#writer, batch: number, now });
      if (!isNew) return;
      await this.#insert(
        tx,
        uses.map(([, use]) => use),
      );
    });
  }
}

/** Of an organisation or a person who is not there, as in a database that was restored while servers ran. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

/** Bounds the names that are counted apart for each organisation in a day. Clients choose names, and each is a row. */
class DailyNames {
  readonly #byOrg = new Map<string, Set<string>>();
  #day = 0;

  admit(org: string, day: number, given: string): string {
    if (day !== this.#day) {
      this.#byOrg.clear();
      this.#day = day;
    }
    const name = given.slice(0, LIMITS.usageNameLength);
    const known = this.#byOrg.get(org);
    if (known === undefined) this.#byOrg.set(org, new Set([copyOf(name)]));
    else if (!known.has(name)) {
      if (known.size >= LIMITS.usageOperations - 1) return UNKNOWN_OPERATION;
      known.add(copyOf(name));
    }
    return name;
  }
}

/** The engine keeps a document as long as a part of it: a name that is kept must not be one. */
const copyOf = (name: string): string => Buffer.from(name).toString();

/** The beginning of a day in UTC, in milliseconds. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;
