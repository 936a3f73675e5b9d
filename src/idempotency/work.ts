import { parse, stringify } from 'devalue';
import { ApiError, CATALOGUE } from '../core/errors.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Attempt } from '../db/queries/idempotency.ts';
import { completeValue } from './former-outcomes.ts';

/** A change that has started and waits for an external system. */
export interface StartedWork {
  /** The row of the change: created by this request, or by an earlier one with the same key. */
  readonly subjectId: number;
  /** Undefined without a key. */
  readonly attempt: Attempt | undefined;
}

/**
 * The changes of a mutation, the last of which also stores the outcome under the caller's idempotency key, if there is one. If a resolver
 * throws before that, a retry with the key may continue at once.
 */
export interface Work {
  /** Whether the client sent a key, so that its retries can be recognised. */
  readonly isRepeatable: boolean;

  /** Makes a change within the database only: claim, change and outcome are one transaction. */
  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Records what must be stored before an external call. `start` writes the row of the change, unless an earlier attempt did. */
  begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork>;
  /** Stores the response and the outcome; an error is thrown. @throws KeyTaken if another request has taken the record over. */
  finish<T>(begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T>;
  /** Undoes a change that the external system will never make. The key is free again, even for a different request. */
  abandon(begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void>;
}

/** Work without an idempotency key: it runs for each request. */
export class PlainWork implements Work {
  get isRepeatable(): boolean {
    return false;
  }

  readonly #database: Database;
  readonly #lasting: Database;

  /** @param lasting the database for writes that must survive cancellation, because an external system has responded. */
  constructor(database: Database, lasting: Database) {
    this.#database = database;
    this.#lasting = lasting;
  }

  commit<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(change);
  }

  async begin(start: (tx: Transaction) => Promise<number>): Promise<StartedWork> {
    return { subjectId: await this.#database.transaction(start), attempt: undefined };
  }

  async finish<T>(_begun: StartedWork, change: (tx: Transaction) => Promise<Outcome<T>>): Promise<T> {
    return unwrap(await this.#lasting.transaction(change));
  }

  async abandon(_begun: StartedWork, change: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#lasting.transaction(change);
  }
}

/** The final outcome of a mutation: its resolver's value, or an error that a retry would not change. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: ApiError };

/** Returns the value of an outcome. @throws ApiError if the outcome is an error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** Serialises an outcome. Reading it restores rows exactly, including dates and absent members, which JSON does not preserve. */
export function writeOutcome(outcome: Outcome): string {
  if ('value' in outcome) return stringify({ value: outcome.value });
  const { code, message, details } = outcome.error;
  return stringify({ error: { code, message, ...(details && { details }) } });
}

/** Reads an outcome of a mutation written by {@link writeOutcome}, of this version or a former one. */
export function readOutcome(mutation: string, text: string): Outcome {
  // The column contains only values written by `writeOutcome`.
  const stored = parse(text) as
    | { readonly value: unknown }
    | { readonly error: Pick<ApiError, 'code' | 'message' | 'details'> };
  if (!('error' in stored)) return { value: completeValue(mutation, stored.value) };
  const { code, ...error } = stored.error;
  if (!Object.hasOwn(CATALOGUE, code))
    throw new Error(`The stored error code "${code}" is not in the catalogue.`);
  return { error: new ApiError(code, { ...error, replayed: true }) };
}
