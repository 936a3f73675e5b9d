/** What the engines and their transactions have in common: whether code runs inside a transaction at any depth of calls, and what follows from its end. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { monotonicTime } from '../core/clock.ts';
import { type AbortSignalLike, onAbort } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { DatabaseOptions, GrowthListener, OpenDatabase } from './database.ts';
import { codeOf, databaseError, unavailable } from './errors.ts';
import type { Origin } from './origin.ts';

/**
 * Codes of a database that can be read but not be changed, until an operator does something: a full disk, a disk that fails, a
 * database or file that has become read-only, a file that was replaced or removed.
 */
const REFUSAL = /^(53100|58030|25006|SQLITE_(FULL|READONLY|IOERR)(_\w+)?)$/;

/** What the transactions of all engines have in common. */
export abstract class Scope {
  readonly inTransaction = true;
  origin: Origin | undefined;
  /** False once the work has ended, so that statements it did not await cannot write any more. */
  open = true;
  /** True once the commit has been sent. From then on only the engine decides the outcome. */
  committing = false;
  /** The error of the first statement that failed. It makes the transaction fail, even if the work caught it. */
  failure: unknown;
  readonly grownLogs = new Set<string>();
  readonly types = new Set<string>();

  notifyLogGrowth(org: string, type: string): void {
    this.grownLogs.add(org);
    this.types.add(type);
  }

  fail(error: unknown): unknown {
    this.failure ??= error;
    return error;
  }

  assertOpen(): void {
    if (!this.open) throw new Error('This transaction has ended: await everything that runs in it.');
  }
}

/** The part of a database that is the same on every engine. */
export abstract class Engine {
  readonly #current = new AsyncLocalStorage<Scope>();
  readonly #listeners = new Set<GrowthListener>();
  readonly #onListenerFailure: NonNullable<DatabaseOptions['onListenerFailure']>;
  readonly #onRefusal: NonNullable<DatabaseOptions['onRefusal']>;
  readonly #timeout: number;
  readonly #time: () => number;
  #refusesChanges = false;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor({
    onListenerFailure = () => {},
    onRefusal = () => {},
    transactionTimeout = LIMITS.statementTimeout,
    time = monotonicTime,
  }: Pick<DatabaseOptions, 'onListenerFailure' | 'onRefusal' | 'transactionTimeout' | 'time'>) {
    this.#onListenerFailure = onListenerFailure;
    this.#onRefusal = onRefusal;
    this.#timeout = transactionTimeout;
    this.#time = time;
  }

  /** See {@link OpenDatabase.onGrowth}. */
  onGrowth(listener: GrowthListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Whether the database refuses changes, according to the last ones, so that a probe does not have to write. On a full disk, changes that
   * need no more space succeed, so only a success long after the last refusal means that the others would.
   */
  get refusesChanges(): boolean {
    return this.#refusesChanges;
  }

  /** Notes that a change failed. Errors of another kind, such as a constraint, say nothing about the next change. */
  protected failed(error: unknown): void {
    if (!REFUSAL.test(codeOf(error) ?? '')) return;
    this.#refusedAt = this.#time();
    if (this.#refusesChanges) return;
    this.#refusesChanges = true;
    this.#onRefusal(error);
  }

  /** Notes a commit, and notifies the listeners. It never throws, since a failing listener cannot undo a commit. */
  protected committed({ grownLogs, types }: Scope): void {
    if (this.#time() - this.#refusedAt >= LIMITS.changeRefusal) this.#refusesChanges = false;
    if (grownLogs.size === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(grownLogs, types);
      } catch (error) {
        this.#onListenerFailure(error);
      }
    }
  }

  /** Makes later calls throw `unavailable`. */
  protected endCalls(): void {
    this.#closed = true;
  }

  /**
   * @throws an Error inside a transaction: a statement outside of it would not see its changes, and with a single
   * connection each would wait for the other. `unavailable` after the database was closed.
   */
  protected assertOutside(): void {
    if (this.#closed) throw unavailable();
    if (this.#current.getStore()?.open) {
      throw new Error('Inside a transaction, statements run on it and transactions do not nest.');
    }
  }

  /**
   * Runs the work until it ends, its signal is aborted, or the timeout of transactions has passed.
   *
   * @throws the error of the work, of a statement even if the work caught it, the signal's reason, or `timeout`.
   */
  protected async runIn<T>(scope: Scope, work: () => Promise<T>, signal?: AbortSignalLike): Promise<T> {
    signal?.throwIfAborted();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const end = (reason: unknown) => {
      if (!scope.committing) reject(reason);
    };
    const forget = onAbort(signal, () => end(signal?.reason));
    const timer = setTimeout(() => {
      end(
        new ApiError('timeout', { message: 'The transaction took longer than its deadline and was undone.' }),
      );
    }, this.#timeout);
    try {
      const result = await Promise.race([this.#current.run(scope, work), late]);
      if (scope.failure !== undefined) throw scope.failure;
      if (!scope.committing) signal?.throwIfAborted();
      return result;
    } catch (error) {
      throw databaseError(error);
    } finally {
      scope.open = false;
      clearTimeout(timer);
      forget();
    }
  }
}
