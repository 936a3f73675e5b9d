/** The execution of an operation, and the steps after it. */
import type { GraphQLError } from 'graphql';
import type { Positions } from '../../cluster/positions.ts';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { UNKNOWN_WAL_POSITION } from '../../db/wal-position.ts';
import { toApiError } from '../../graphql/errors.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../operation.ts';
import { boundResult } from '../response-size.ts';
import type { Run } from './run-state.ts';

export function execute(run: Run): void | Promise<void> {
  const { found, request } = run;
  if (found.type === 'subscription') return subscribe(run);
  if (request.executorOf) return executeBy(request.executorOf(found), run);
  if (found.compilingCost === 0) return executeBy(found.compiled, run);
  return compileAndExecute(run);
}

/** Runs the operation uncompiled if the caller cannot pay for compiling it. */
async function compileAndExecute(run: Run): Promise<void> {
  const { found, context } = run;
  const isPaid = await context.requestCost.tryToPay(found.compilingCost);
  return executeBy(isPaid ? found.compiled : found.interpreted, run);
}

function executeBy(by: Executor, run: Run): void | Promise<void> {
  const { found, request, context, variables } = run;
  const work = () => by.execute(undefined, context, variables);
  const { tracing } = context;
  const result = tracing ? tracing.span(found.label, { 'graphql.door': request.door }, work) : work();
  if (!(result instanceof Promise)) {
    run.executed = { result, by };
    return;
  }
  return result.then((value) => {
    run.executed = { result: value, by };
  });
}

async function subscribe(run: Run): Promise<void> {
  if (!run.request.subscribe) throw new ApiError('stream_required');
  const { compilingCost } = run.found;
  if (compilingCost > 0) await run.context.requestCost.pay(compilingCost);
  run.stream = await run.request.subscribe(run.found, run.variables);
}

/**
 * Remembers the position of the change before the response is sent, so that the caller's next request sees the change, or why it failed.
 * If other instances cannot learn the position, the response waits, for a limited time, until all reachable replicas have it.
 */
export function rememberChange({ found, executed, context }: Run): void | Promise<void> {
  const { positions, written, flow, database } = context;
  if (!positions) return;
  const errors = executed?.result.errors;
  if (found.type === 'mutation' && errors) return rememberFailure(positions, context, errors);
  if (written === undefined) return;
  return positions.remember(flow.caller, written).then(async (isKnown) => {
    if (!isKnown) await database.replicas?.caughtUp(written);
  });
}

/** A failed mutation has read the primary, so its caller has seen changes of others. One without an outcome may have been committed. */
async function rememberFailure(
  positions: Positions,
  { database, flow, signal }: Context,
  errors: readonly GraphQLError[],
): Promise<void> {
  const hasOutcome = !signal?.aborted && !errors.some((error) => WITHOUT_OUTCOME.has(toApiError(error).code));
  const position = hasOutcome ? await database.replicas?.primaryPosition() : undefined;
  await positions.remember(flow.caller, position ?? UNKNOWN_WAL_POSITION);
}

/** Errors of changes whose outcome is unknown. */
const WITHOUT_OUTCOME: ReadonlySet<ErrorCode> = new Set(['unavailable', 'timeout']);

/** Settles the cost of a successful operation. An operation with errors keeps its full price, since its work was done. */
export function settle({ found, executed, context }: Run): void {
  if (!executed || executed.result.errors) return;
  context.requestCost.settle(found.price.actual(executed.result.data));
}

/** Limits the size of the response before its text is written. @throws ApiError `response_too_large`. */
export function boundResponse({ executed, context }: Run): void {
  if (!executed) return;
  const { result, by } = executed;
  if (by.longest(result.data) > context.responseLimit) boundResult(result.data, context.responseLimit);
}

/** Makes the response, so that an operation whose response is an error is counted as one. */
export function respond({ executed, request }: Run): void {
  if (executed && !executed.result.errors) request.respond?.(executed.result);
}
