import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Vault } from '../core/vault.ts';
import type { Database, Transaction } from '../db/database.ts';
import {
  type Attempt,
  claimKey,
  completeRecord,
  findRecord,
  type KeyScope,
  noteSubject,
  releaseRecord,
  removeRecord,
  takeOverRecord,
} from '../db/queries/idempotency.ts';
import type { IdempotencyRecordRow } from '../db/rows.ts';
import { wrapTransaction } from '../db/wrap-transaction.ts';
import { type Outcome, readOutcome, type StartedWork, unwrap, type Work, writeOutcome } from './work.ts';

/** Thrown when another request has taken over the record: its outcome must be read again. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** Seconds after which to retry while the first request is running; most have finished by then. */
const WHILE_RUNNING = 1;

interface KeyedWorkParts {
  readonly database: Database;
  /** The database for writes that must survive cancellation, because an external system has responded. */
  readonly lasting: Database;
  readonly clock: Clock;
  readonly scope: KeyScope;
  /** Fingerprints of the arguments, one for each secret in use. New records get the first. */
  readonly fingerprints: readonly [string, ...string[]];
  readonly vault: Vault;
  /** Whether the outcome is stored encrypted, since it contains credentials. */
  readonly isSecret: boolean;
  /** Whether the client sent the key, and did not get it from the server. */
  readonly isRepeatable: boolean;
}

/**
 * Work under an idempotency key. Only one of the requests with the key runs, and all get its outcome. Taking over an expired lease increments
 * the record's number of attempts, which the transaction with the outcome has in a `where`: a process that resumes late changes nothing.
 */
export class KeyedWork implements Work {
  readonly #parts: KeyedWorkParts;
  #kept = false;
  /** Set while this request holds the record. */
  #attempt: Attempt | undefined;

  constructor(parts: KeyedWorkParts) {
    this.#parts = parts;
  }

  get isRepeatable(): boolean {
    return this.#parts.isRepeatable;
  }

  /** Whether this request has stored an outcome under the key. */
  get kept(): boolean {
    return this.#kept;
  }

  /** Returns the outcome of an earlier request, if there is one. @throws ApiError `idempotency_key_reused`, `idempotency_in_progress`. */
  async outcome(): Promise<Outcome | undefined> {
    const { database, scope } = this.#parts;
    const record = await findRecord(database, scope);
    if (!record) return undefined;
    return await this.#outcomeOf(record);
  }

  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#keeping(this.#parts.database, async (tx) => {
      const id = await this.#claim(tx);
      if (id === undefined) throw new KeyTaken();
      const value = await change(withoutLast(tx));
      await this.#keep(tx, this.#firstAttempt(id), { value });
      return value;
    });
  }

  async begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork> {
    const { database } = this.#parts;
    const begun = await database.transaction(async (tx): Promise<StartedWork> => {
      const id = await this.#claim(tx);
      if (id !== undefined) {
        const attempt = this.#firstAttempt(id);
        const subjectId = await start(withoutLast(tx));
        await noteSubject(tx, { ...attempt, subjectId });
        return { attempt, subjectId };
      }
      const record = await findRecord(tx, this.#parts.scope);
      if (!record || (await this.#outcomeOf(record))) throw new KeyTaken();
      return this.#takeOver(tx, record);
    });
    this.#attempt = begun.attempt;
    return begun;
  }

  async finish<T>({ attempt }: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T> {
    const outcome = await this.#keeping(this.#parts.lasting, async (tx) => {
      const made = await change(withoutLast(tx));
      await this.#keep(tx, attempt, made);
      return made;
    });
    return unwrap(outcome);
  }

  /**
   * Releases the record after a failure, so that a retry may continue at once. Never rejects: otherwise the lease expires.
   *
   * @returns whether this request had begun its work.
   */
  async release(): Promise<boolean> {
    const { lasting, clock } = this.#parts;
    const attempt = this.#attempt;
    if (attempt)
      await lasting
        .transaction((tx) => releaseRecord(tx, { ...attempt, now: clock() }))
        .catch(() => undefined);
    return attempt !== undefined;
  }

  async abandon({ attempt }: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#parts.lasting.transaction(async (tx) => {
      if (!attempt || !(await removeRecord(tx, attempt))) throw new KeyTaken();
      await change(tx);
    });
    this.#attempt = undefined;
  }

  async #keeping<T>(database: Database, change: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await database.transaction(change);
    this.#kept = true;
    this.#attempt = undefined;
    return result;
  }

  async #claim(tx: Transaction): Promise<number | undefined> {
    const { scope, fingerprints, clock } = this.#parts;
    return (await claimKey(tx, { ...scope, fingerprint: fingerprints[0], ...leaseFrom(clock()) }))?.id;
  }

  /** Stores the outcome. @throws KeyTaken if another request has taken over the record, which rolls the transaction back. */
  async #keep(tx: Transaction, attempt: Attempt | undefined, outcome: Outcome): Promise<void> {
    if (!attempt) throw new KeyTaken();
    const { vault, isSecret } = this.#parts;
    const text = writeOutcome(outcome);
    const stored = isSecret ? vault.seal(text, vaultPath(attempt)) : text;
    if (!(await completeRecord(tx, { ...attempt, outcome: stored }))) throw new KeyTaken();
  }

  #firstAttempt(id: number): Attempt {
    return { org: this.#parts.scope.org, id, attempt: 1 };
  }

  async #takeOver(
    tx: Transaction,
    { org, id, attempt, subjectId }: IdempotencyRecordRow,
  ): Promise<StartedWork> {
    const { fingerprints, clock } = this.#parts;
    const taken = await takeOverRecord(tx, {
      org,
      id,
      attempt,
      fingerprint: fingerprints[0],
      ...leaseFrom(clock()),
    });
    if (!taken) throw new KeyTaken();
    if (subjectId === null) throw new Error('A started record has no subject.');
    return { attempt: { org, id, attempt: attempt + 1 }, subjectId };
  }

  async #outcomeOf(record: IdempotencyRecordRow): Promise<Outcome | undefined> {
    const { fingerprint, mutation, outcome, lockedUntil } = record;
    const { fingerprints, clock, vault } = this.#parts;
    if (!fingerprints.includes(fingerprint)) throw new ApiError('idempotency_key_reused');
    if (outcome !== null) return readOutcome(mutation, await vault.open(outcome, vaultPath(record)));
    if (lockedUntil > clock()) {
      throw new ApiError('idempotency_in_progress', { retryAfter: WHILE_RUNNING });
    }
    return undefined;
  }
}

/** Disables `last` for a change, since the statement that stores the outcome follows its last statements. */
const withoutLast = (tx: Transaction): Transaction =>
  wrapTransaction(tx, { last: (_statements, run) => run() });

function leaseFrom(now: Date): { now: Date; lockedUntil: Date } {
  return { now, lockedUntil: new Date(now.getTime() + LIMITS.idempotencyLease) };
}

/** The location of an outcome for {@link Vault}. */
const vaultPath = ({ org, id }: Pick<Attempt, 'org' | 'id'>): string =>
  `idempotency_records/${org}/${id}/outcome`;
