/** Runs operations of all doors, as a list of steps in the order in which they run. */
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { turnEnd } from '../core/turn.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Refusal } from '../observability/metrics.ts';
import type { Context } from './context.ts';
import type { Executor } from './operation.ts';
import { boundResponse as boundResult } from './response-size.ts';
import {
  authorize,
  awaitSlot,
  awaitStart,
  chooseReplica,
  findOperation,
  type OperationRequest,
  type Outcome,
  price,
  Run,
  readVariables,
  rememberChange,
  takePoints,
} from './steps.ts';

/** A step. An error that it throws refuses the operation. */
type Step = (run: Run) => void | Promise<void>;

/** The steps run in this order because each relies on the previous ones for safety and cost. */
export const STEPS: readonly Step[] = [
  findOperation,
  authorize,
  readVariables,
  price,
  takePoints,
  awaitStart,
  awaitSlot,
  chooseReplica,
  execute,
  rememberChange,
  settle,
  boundResponse,
  // Until the other operations of this turn have run, so that their responses are written and sent together.
  turnEnd,
];

/** Runs an operation. It rejects only with internal errors. */
export async function runOperation<S = never>(
  request: OperationRequest<S>,
  context: Context,
): Promise<Outcome<S>> {
  const run = new Run(request, context);
  try {
    for (const step of STEPS) {
      const pending = step(run);
      if (pending) await pending;
    }
  } catch (error) {
    // Before the refusal, which may be delayed.
    releaseSlot(run);
    await refuse(run, error);
  } finally {
    releaseSlot(run);
  }
  count(run);
  return run;
}

function releaseSlot(run: Run): void {
  if (run.hasSlot) run.context.expensiveQueries.release();
  run.hasSlot = false;
}

function execute(run: Run): void | Promise<void> {
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

/** Settles the cost of a successful operation. An operation with errors keeps its full price, since its work was done. */
function settle({ found, executed, context }: Run): void {
  if (!executed || executed.result.errors) return;
  context.requestCost.settle(found.price.actual(executed.result.data));
}

/** Limits the size of the response before its text is written. @throws ApiError `response_too_large`. */
function boundResponse({ executed, context }: Run): void {
  if (!executed) return;
  const { result, by } = executed;
  if (by.longest(result.data) > context.responseLimit) boundResult(result.data, context.responseLimit);
}

/** The reasons under which refusals are counted. Other errors are counted only by their codes. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  query_too_deep: 'depth',
  query_too_large: 'tokens',
  too_many_directives: 'tokens',
  too_many_aliases: 'fields',
  too_many_root_fields: 'fields',
  field_repeated: 'fields',
  cost_exceeded: 'cost',
  rate_limited: 'points',
};

/** Charges for a refusal, since otherwise callers without points could send requests without limit. */
async function refuse(run: Run, error: unknown): Promise<void> {
  if (!(error instanceof ApiError)) throw error;
  run.refusal = error;
  const { metrics, requestCost } = run.context;
  if (run.executed) {
    // The operation has run and was paid for.
    run.executed = undefined;
    return;
  }
  const refusal = REFUSALS[error.code];
  if (refusal) metrics.refused(refusal);
  if (error.code === 'rate_limited' || error.code === 'overloaded') return;
  const points = run.operation ? LIMITS.refusalCost : LIMITS.refusedDocumentCost;
  try {
    // A small budget may hold fewer points.
    await requestCost.pay(Math.min(points, requestCost.most));
  } catch (later) {
    if (!(later instanceof ApiError)) throw later;
    run.refusal = later;
    metrics.refused('points');
  }
}

function count(run: Run): void {
  const { request, context, operation, refusal, executed } = run;
  const [failure] = executed?.result.errors ?? [];
  const { door } = request;
  const name = operation?.name;
  context.metrics.operation({
    door,
    type: operation?.type ?? 'none',
    name,
    code: (refusal ?? (failure && toApiError(failure)))?.code ?? 'ok',
    seconds: run.seconds,
  });
  context.noteOperation(context.principal, {
    door,
    name,
    at: context.at,
    isError: refusal !== undefined || failure !== undefined,
    points: context.requestCost.actual,
  });
  // Deprecated routes report their use themselves.
  if (door === 'rest' || run.deprecations.length === 0) return;
  const coordinates = run.deprecations.map(({ coordinate }) => coordinate);
  context.noteDeprecatedUse(context.principal, coordinates);
}
