/** The state of an operation while its steps run. */
import type { ExecutionResult } from 'graphql';
import { monotonicTime } from '../../core/clock.ts';
import type { ApiError } from '../../core/errors.ts';
import type { WalPosition } from '../../db/wal-position.ts';
import type { SchemaDeprecation } from '../../graphql/directives/sunset.ts';
import type { Door } from '../../observability/metrics.ts';
import type { Variables } from '../compile.ts';
import type { Context } from '../context.ts';
import type { Executor, Operation } from '../operation.ts';

/** A request for an operation, as a door reads it from its wire format. `S` is the door's type of a stream. */
export interface OperationRequest<S = never> {
  readonly door: Door;
  /** Finds the operation. Reading a new document costs points. @throws ApiError if the operation may not run. */
  find(context: Context): Operation | Promise<Operation>;
  /** Whether the HTTP method is safe (RFC 9110, section 9.2.1), so that mutations must be refused. */
  readonly isSafe?: boolean;
  /** Returns the coerced variables. @throws ApiError for invalid ones. */
  readVariables(operation: Operation): Variables;
  /** Chooses the executor; by default the compiled one. */
  executorOf?(operation: Operation): Executor;
  /** The position that the client's reads must include, if it is part of the message. @throws ApiError for an invalid one. */
  seen?(): WalPosition | undefined;
  /** Makes the response from a result. @throws ApiError if the response is an error, such as for a result without a value. */
  respond?(result: ExecutionResult): void;
  /** Opens a stream. If it is missing, subscriptions are refused. */
  subscribe?(operation: Operation, variables: Variables): Promise<S>;
}

/** The outcome of an operation: a refusal, a result with the executor that writes its data, or a stream. */
export interface Outcome<S = never> {
  readonly operation: Operation | undefined;
  readonly refusal: ApiError | undefined;
  readonly executed: { readonly result: ExecutionResult; readonly by: Executor } | undefined;
  readonly stream: S | undefined;
  /** Deprecated parts of the schema that the operation uses. */
  readonly deprecations: readonly SchemaDeprecation[];
}

/** The state of one operation. Each step relies on what those before it have set. */
export class Run<S = unknown> implements Outcome<S> {
  readonly request: OperationRequest<S>;
  readonly context: Context;
  readonly #began = monotonicTime();
  #deprecations: readonly SchemaDeprecation[] | undefined;
  operation: Operation | undefined;
  variables: Variables = {};
  /** The maximum cost in points. */
  price = 0;
  /** Whether it has already waited to start, as an operation does whose document had to be read. */
  hasWaited = false;
  /** Whether it holds one of the slots for expensive queries. */
  hasSlot = false;
  executed: Outcome['executed'];
  stream: S | undefined;
  refusal: ApiError | undefined;

  constructor(request: OperationRequest<S>, context: Context) {
    this.request = request;
    this.context = context;
  }

  /** The operation, for the steps after `findOperation`. */
  get found(): Operation {
    if (!this.operation) throw new Error('The operation has not been found yet.');
    return this.operation;
  }

  /** For use after the last step. */
  get deprecations(): readonly SchemaDeprecation[] {
    this.#deprecations ??= this.operation?.deprecations(this.variables) ?? [];
    return this.#deprecations;
  }

  get seconds(): number {
    return (monotonicTime() - this.#began) / 1000;
  }
}
