/** Runs operations of all doors, as a list of steps in the order in which they run. */
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { turnEnd } from '../core/turn.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Refusal } from '../observability/metrics.ts';
import type { Context } from './context.ts';
import {
  authorize,
  awaitSlot,
  awaitStart,
  boundResponse,
  chooseReplica,
  execute,
  findOperation,
  type OperationRequest,
  type Outcome,
  price,
  Run,
  readVariables,
  rememberChange,
  respond,
  settle,
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
  respond,
  // Until the other operations of this turn have run, so that their responses are written and sent together.
  turnEnd,
];

/** Runs an operation, and counts it. It rejects only with internal errors. */
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
  if (!(error instanceof ApiError)) {
    run.refusal = toApiError(error);
    run.executed = undefined;
    count(run);
    throw error;
  }
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
