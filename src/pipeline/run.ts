/** The way of every operation, through whichever door it comes: one list of steps, in the order in which they run. */
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { monotonicTime } from '../clock.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import type { Door, Refusal } from '../metrics.ts';
import type { Executor, Operation } from './operation.ts';
import { formattedErrors, type OnInternalError } from './result.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** What a door makes of its wire. */
export interface OperationRequest {
  readonly door: Door;
  /** @throws ApiError why there is no such operation, or none that may be run. */
  find(): Operation;
  /** Whether it came in a way that changes nothing (RFC 9110, section 9.2.1): mutations are refused then. */
  readonly isSafe?: boolean;
  /** The variables as the client sent them, once they are known to fit. @throws ApiError what is wrong with them. */
  readVariables(operation: Operation): Variables;
  /** How the operation is run. */
  readonly executor: (operation: Operation) => Executor;
  readonly onInternalError: OnInternalError;
}

/** A result as it leaves. */
export interface Response {
  readonly data: ExecutionResult['data'];
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  /** JSON text of `data`. */
  readonly write: Executor['write'];
}

/** What became of an operation: it was refused before it ran, or it has a response. */
export interface Outcome {
  readonly operation: Operation | undefined;
  readonly variables: Variables;
  readonly refusal: ApiError | undefined;
  readonly response: Response | undefined;
}

/** One operation on its way. Each step relies on what those before it have put here. */
class Run implements Outcome {
  readonly request: OperationRequest;
  readonly context: Context;
  readonly began = monotonicTime();
  operation: Operation | undefined;
  variables: Variables = {};
  /** Points that it costs at most. */
  price = 0;
  result: ExecutionResult | undefined;
  refusal: ApiError | undefined;
  response: Response | undefined;

  constructor(request: OperationRequest, context: Context) {
    this.request = request;
    this.context = context;
  }
}

/** A step of the way. What it throws refuses the operation. */
export type Step = (run: Run) => void | Promise<void>;
