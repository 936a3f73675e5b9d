/** Counts usage by organisation and day. Counting never delays a request or makes it fail. */
import { countedCredentialsOf } from '../auth/origins.ts';
import type { Principal } from '../auth/policy.ts';
import type { Clock } from '../core/clock.ts';
import { DAY, LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { addDeprecatedUses, type DeprecatedUse } from '../db/queries/deprecated-uses.ts';
import { addOperationUses, type OperationUse } from '../db/queries/operation-uses.ts';
import { type Door, UNKNOWN_OPERATION } from '../observability/metrics.ts';
import { Counts } from './counts.ts';

/** Points that were spent on an operation. */
export interface SpentPoints {
  readonly door: Door;
  /** Null or undefined for a document without an operation name. */
  readonly name: string | null | undefined;
  readonly at: Date;
  readonly points: number;
}

/** One request for an operation, with its outcome. */
export interface UsedOperation extends SpentPoints {
  readonly isError: boolean;
}

/** @param principal null for a caller without credentials, which belongs to no organisation and is not counted. */
export type NoteOperation = (principal: Principal | null, used: UsedOperation) => void;

/** Counts points that are not spent by a request: those for the events of a stream. */
export type NotePoints = (principal: Principal, spent: SpentPoints) => void;

type Counting<Use> = { -readonly [Name in keyof Use]: Use[Name] };

export interface UsageOptions {
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

  /** Returns the counts of an operation, created if necessary. Undefined for commands of an operator, and while too many counts wait. */
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

  /** Counts one request that used these routes or schema coordinates. */
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

  /** Starts writing the counts at intervals. */
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

/** Limits how many operation names are counted separately per organisation and day, since clients choose names, and each needs a row. */
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

/** Copies a name. V8 keeps a whole document in memory for a substring of it, so a stored name must not be one. */
const copyOf = (name: string): string => Buffer.from(name).toString();

/** The beginning of a day in UTC, in milliseconds. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;
