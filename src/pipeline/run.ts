/** Runs operations of all doors, as a list of steps in the order in which they run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { turnEnd } from '../core/turn.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Refusal } from '../observability/metrics.ts';
import type { Context } from './context.ts';
import type { Executor } from './operation.ts';
import { requireAllowed } from './price/pricing.ts';
import { chooseReplica, rememberChange } from './replicas.ts';
import type { RequestCost } from './request-cost.ts';
import { boundResponse as boundResult } from './response-size.ts';
import { type OperationRequest, type Outcome, Run } from './run-state.ts';

/** A step. An error that it throws refuses the operation. */
type Step = <S>(run: Run<S>) => void | Promise<void>;

/** The steps run in this order because each relies on the previous ones for safety and cost. */
export const STEPS: readonly Step[] = [
  findOperation,
  authorize,
  readVariables,
  price,
  takePoints,
  awaitTurn,
  awaitPlace,
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
    leavePlace(run);
    await refuse(run, error);
  } finally {
    leavePlace(run);
  }
  count(run);
  return run;
}

function findOperation<S>(run: Run<S>): void | Promise<void> {
  const found = run.request.find(run.context);
  if (!(found instanceof Promise)) {
    run.operation = found;
    return;
  }
  return found.then((operation) => {
    run.operation = operation;
    run.hadTurn = true;
  });
}

function authorize<S>({ found, request, context }: Run<S>): void {
  if (request.isSafe && found.type === 'mutation') {
    throw new ApiError('method_not_allowed', { message: 'Send mutations with POST.', allow: 'POST' });
  }
  found.authorize(context);
}

function readVariables<S>(run: Run<S>): void {
  run.variables = run.request.readVariables(run.found);
}

function price<S>(run: Run<S>): void {
  const { found, request, context, variables } = run;
  run.price = found.price.requested(variables);
  // Before any refusal, so that its response reports what the operation would have cost.
  context.requestCost.request(run.price);
  requireAllowed(found.price, run.price);
  context.metrics.cost(request.door, run.price);
}

function takePoints<S>({ context, price: points }: Run<S>): void | Promise<void> {
  return context.requestCost.take(points);
}

function awaitTurn<S>({ context, price: points, hadTurn }: Run<S>): void | Promise<void> {
  const { scheduler, flow, signal, requestCost } = context;
  if (hadTurn) return scheduler.charge(flow, Math.max(0, points - LIMITS.unreadDocumentCost));
  return giveBackUnless(scheduler.enter(flow, points, signal), requestCost);
}

/** Limits how many expensive queries run at once. This is the last wait, so that no query holds a place while it waits for something else. */
function awaitPlace<S>(run: Run<S>): void | Promise<void> {
  const { found, context, price: points } = run;
  if (found.type !== 'query' || points < LIMITS.expensiveCost) return;
  const waiting = context.expensiveQueries.acquire(context.flow, context.signal);
  if (!waiting) return begin();
  return giveBackUnless(waiting, context.requestCost)
    .then(begin)
    .then(() => nextTurn());

  function begin(): void {
    run.hasPlace = true;
    context.database.makeExpensive();
  }
}

function leavePlace<S>(run: Run<S>): void {
  if (run.hasPlace) run.context.expensiveQueries.release();
  run.hasPlace = false;
}

/** Gives back the points taken for an operation that is shed or aborted while it waits. */
function giveBackUnless(waiting: Promise<void>, requestCost: RequestCost): Promise<void> {
  return waiting.catch((error: unknown) => {
    requestCost.settle(0);
    throw error;
  });
}

function execute<S>(run: Run<S>): void | Promise<void> {
  const { found, request } = run;
  if (found.type === 'subscription') return subscribe(run);
  if (request.executorOf) return executeBy(request.executorOf(found), run);
  if (found.compilingCost === 0) return executeBy(found.compiled, run);
  return compileAndExecute(run);
}

/** Runs the operation uncompiled if the caller cannot pay for compiling it. */
async function compileAndExecute<S>(run: Run<S>): Promise<void> {
  const { found, context } = run;
  const isPaid = await context.requestCost.tryToPay(found.compilingCost);
  return executeBy(isPaid ? found.compiled : found.interpreted, run);
}

function executeBy<S>(executor: Executor, run: Run<S>): void | Promise<void> {
  const { found, request, context, variables } = run;
  const work = () => executor.execute(undefined, context, variables);
  const { tracing } = context;
  const result = tracing ? tracing.span(found.label, { 'graphql.door': request.door }, work) : work();
  if (!(result instanceof Promise)) {
    run.executed = { result, by: executor };
    return;
  }
  return result.then((value) => {
    run.executed = { result: value, by: executor };
  });
}

async function subscribe<S>(run: Run<S>): Promise<void> {
  if (!run.request.subscribe) throw new ApiError('stream_required');
  const { compilingCost } = run.found;
  if (compilingCost > 0) await run.context.requestCost.pay(compilingCost);
  run.stream = await run.request.subscribe(run.found, run.variables);
}

/** Settles the cost of a successful operation. An operation with errors keeps its full price, since its work was done. */
function settle<S>({ found, executed, context }: Run<S>): void {
  if (!executed || executed.result.errors) return;
  context.requestCost.settle(found.price.actual(executed.result.data));
}

/** Limits the size of the response before its text is written. @throws ApiError `response_too_large`. */
function boundResponse<S>({ executed, context }: Run<S>): void {
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
async function refuse<S>(run: Run<S>, error: unknown): Promise<void> {
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

function count<S>(run: Run<S>): void {
  const { request, context, operation, refusal, executed, deprecations } = run;
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
  if (door !== 'rest' && deprecations.length > 0) {
    context.noteDeprecatedUse(
      context.principal,
      deprecations.map(({ coordinate }) => coordinate),
    );
  }
}
