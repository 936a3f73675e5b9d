/** Counts usage by organisation and day. Counting never delays a request or makes it fail. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { countedCredentialsOf } from '../auth/origins.ts';
import { namedCaller, type Principal } from '../auth/policy.ts';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { DAY, LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import {
  addDeprecatedUses,
  addOperationUses,
  type DeprecatedUse,
  type OperationUse,
  recordCountBatch,
} from '../db/queries/use-counts.ts';
import { type Door, type Metrics, UNKNOWN_OPERATION } from '../observability/metrics.ts';

/** Points that were spent on an operation. */
interface SpentPoints {
  readonly door: Door;
  /** Null or undefined for a document without an operation name. */
  readonly name: string | null | undefined;
  readonly at: Date;
  readonly points: number;
}

/** One request for an operation, with its outcome. */
interface UsedOperation extends SpentPoints {
  readonly isError: boolean;
}

const NO_USE = { requests: 0, errors: 0, points: 0 };

type Counting<Use> = { -readonly [Name in keyof Use]: Use[Name] };

interface UsageOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Called each time that writing has failed. The counts are kept for the next time, unless the database rejects them. */
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

  /** Counts one request, unless its caller has no credentials and therefore no organisation. */
  readonly noteOperation = (principal: Principal | null, used: UsedOperation): void => {
    const use = principal && this.#counted(principal.org, used);
    if (!use) return;
    use.requests += 1;
    use.errors += used.isError ? 1 : 0;
    use.points += Math.round(used.points);
  };

  /** Counts points that are spent after a request was counted: for the events of a stream, and the further pages of an export. */
  readonly notePoints = ({ org }: Principal, spent: SpentPoints): void => {
    const use = this.#counted(org, spent);
    if (use) use.points += Math.round(spent.points);
  };

  /** Returns the counts of an operation, created if necessary. Undefined for commands of an operator, and while too many counts wait. */
  #counted(org: string, { door, name, at }: SpentPoints): Counting<OperationUse> | undefined {
    if (door === 'command') return undefined;
    const day = dayOf(at);
    const { operation, keys } = this.#names.admit(org, day, name ?? '');
    keys[door] ??= `${org} ${day} ${door} ${operation}`;
    const key = keys[door];
    return (
      this.#operations.find(key) ??
      this.#operations.add(key, { org, day: new Date(day), door, operation, ...NO_USE })
    );
  }

  /** Counts one request that used these routes or schema coordinates. */
  noteDeprecated(principal: Principal, names: readonly string[]): void {
    const lastUsedAt = this.#options.clock();
    const day = dayOf(lastUsedAt);
    const { org, userId: actorId } = principal;
    const counted = countedCredentialsOf(principal);
    if (!counted) return;
    const { credentials, credentialsId } = counted;
    const use = { org, day: new Date(day), actorId, ...counted, uses: 1, lastUsedAt };
    for (const name of names) {
      const key = `${org} ${day} ${actorId} ${credentials} ${credentialsId} ${name}`;
      this.#deprecated.add(key, { ...use, name });
    }
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.write(), LIMITS.usageInterval).unref();
  }

  /** Writes the current counts. */
  write(): Promise<void> {
    const { database, clock, onFailure } = this.#options;
    this.#writing = this.#writing
      .then(() => this.#operations.write(database, clock()))
      .then(() => this.#deprecated.write(database, clock()))
      .catch(onFailure);
    return this.#writing;
  }

  /** Stops, and writes the counts for the last time, if it was started. */
  async stop(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.write();
  }
}

/** Records uses of deprecated features: in the log, which names the caller to contact, in the metrics, and in the usage of an organisation. */
export function createDeprecatedUses(
  logger: Pick<Logger, 'info'>,
  metrics: Metrics,
  usage: Pick<Usage, 'noteDeprecated'>,
) {
  return (principal: Principal | null, names: readonly string[]): void => {
    for (const name of names) metrics.deprecatedUse(name, principal?.kind ?? 'anonymous');
    if (principal) usage.noteDeprecated(principal, names);
    const caller = principal && { principal: namedCaller(principal) };
    logger.info({ deprecated: names, ...caller }, 'deprecated use');
  };
}

/** An operation name that is counted, with the keys of its counts by door: V8 hashes a new text before each lookup. */
interface CountedName {
  readonly operation: string;
  readonly keys: Partial<Record<Door, string>>;
}

/** Limits how many operation names are counted separately per organisation and day, since clients choose names, and each needs a row. */
class DailyNames {
  readonly #byOrg = new Map<string, Map<string, CountedName>>();
  #day = 0;

  admit(org: string, day: number, given: string): CountedName {
    if (day !== this.#day) {
      this.#byOrg.clear();
      this.#day = day;
    }
    let ofOrg = this.#byOrg.get(org);
    if (ofOrg === undefined) {
      ofOrg = new Map();
      this.#byOrg.set(org, ofOrg);
    }
    const name = given.slice(0, LIMITS.usageNameLength);
    const known = ofOrg.get(name);
    if (known) return known;
    const operation = ofOrg.size < LIMITS.usageOperations - 1 ? copyOf(name) : UNKNOWN_OPERATION;
    const counted = ofOrg.get(operation) ?? { operation, keys: {} };
    ofOrg.set(operation, counted);
    return counted;
  }
}

/** Copies a name. V8 keeps a whole document in memory for a substring of it, so a stored name must not be one. */
const copyOf = (name: string): string => Buffer.from(name).toString();

/** The beginning of a day in UTC, in milliseconds. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;

/** Counts that are written in one transaction. */
interface Batch<Use> {
  readonly number: number;
  readonly uses: readonly [key: string, use: Use][];
}

type Insert<Use> = (tx: Transaction, uses: readonly Use[]) => Promise<void>;

type Sum<Use> = (earlier: Use, later: Use) => Use;

/** Counts by key that wait to be written. */
class Counts<Use> {
  readonly #writer = randomUUID();
  readonly #uses = new Map<string, Use>();
  /** A batch that may or may not have been written, since a connection may break after the commit. It is retried unchanged. */
  #unsettled: Batch<Use> | undefined;
  #batches = 0;
  readonly #insert: Insert<Use>;
  readonly #sum: Sum<Use>;

  constructor(insert: Insert<Use>, sum: Sum<Use>) {
    this.#insert = insert;
    this.#sum = sum;
  }

  /** The count of a key, unless it is being written. */
  find(key: string): Use | undefined {
    return this.#uses.get(key);
  }

  /** Adds to the count of a key. @returns the new count; undefined if too many counts wait. */
  add(key: string, use: Use): Use | undefined {
    const known = this.#uses.get(key);
    if (known === undefined && this.#uses.size >= LIMITS.usageWaiting) return undefined;
    const sum = known === undefined ? use : this.#sum(known, use);
    this.#uses.set(key, sum);
    return sum;
  }

  /**
   * Writes all counts, sorted by key, so that instances that write the same rows cannot deadlock. After the database has rejected a
   * batch, each count is written separately, and rejected ones are dropped, since they would block all others from then on.
   *
   * @throws the last error. Counts that can still be written later are kept.
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
    const counts = uses.map(([, use]) => use);
    return database.transaction(async (tx) => {
      const isNew = await recordCountBatch(tx, { writer: this.#writer, batch: number, now });
      if (isNew) await this.#insert(tx, counts);
    });
  }
}

/** True if an organisation or a person does not exist, as after a database was restored while servers ran. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';
