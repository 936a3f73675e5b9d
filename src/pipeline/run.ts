/** Runs operations of all doors: the list of steps in the order in which they run, the state that they share, and the steps. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Positions } from '../cluster/positions.ts';
import { monotonicTime } from '../core/clock.ts';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { turnEnd } from '../core/turn.ts';
import { later, UNKNOWN_WAL_POSITION, type WalPosition } from '../db/wal-position.ts';
import type { SchemaDeprecation } from '../graphql/deprecations.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Door, Refusal } from '../observability/metrics.ts';
import type { Variables } from './compile.ts';
import type { Context } from './context.ts';
import type { Executor, Operation } from './operation.ts';
import { requireAllowed } from './price/pricing.ts';
import type { RequestCost } from './request-cost.ts';
import { boundResult } from './response-size.ts';

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
  }
  releaseSlot(run);
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
  if (!request.isPart) noteRequest(context, door, name, refusal !== undefined || failure !== undefined);
  // Deprecated routes report their use themselves.
  if (door === 'rest' || run.deprecations.length === 0) return;
  const coordinates = run.deprecations.map(({ coordinate }) => coordinate);
  context.noteDeprecatedUse(context.principal, coordinates);
}

/** Counts a request in the usage of its organisation, with the points that it has cost so far. */
export function noteRequest(
  { noteOperation, principal, at, requestCost: { actual: points } }: Context,
  door: Door,
  name: string | null | undefined,
  isError: boolean,
): void {
  noteOperation(principal, { door, name, at, isError, points });
}

/** A request for an operation, as a door reads it from its wire format. `S` is the door's type of a stream. */
interface OperationRequest<S = never> {
  readonly door: Door;
  /** Whether it is only a part of a request, which the caller of the pipeline counts. */
  readonly isPart?: boolean | undefined;
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
class Run<S = unknown> implements Outcome<S> {
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

function findOperation(run: Run): void | Promise<void> {
  const found = run.request.find(run.context);
  if (!(found instanceof Promise)) {
    run.operation = found;
    return;
  }
  return found.then((operation) => {
    run.operation = operation;
    run.hasWaited = true;
  });
}

function authorize({ found, request, context }: Run): void {
  if (request.isSafe && found.type === 'mutation') {
    throw new ApiError('method_not_allowed', { message: 'Send mutations with POST.', allow: 'POST' });
  }
  found.authorize(context);
}

function readVariables(run: Run): void {
  run.variables = run.request.readVariables(run.found);
}

function price(run: Run): void {
  const { found, request, context, variables } = run;
  run.price = found.price.requested(variables);
  // Before any refusal, so that its response reports what the operation would have cost.
  context.requestCost.request(run.price);
  requireAllowed(found.price, run.price);
  context.metrics.cost(request.door, run.price);
}

function takePoints({ context, price: points }: Run): void | Promise<void> {
  return context.requestCost.take(points);
}

function awaitStart({ context, price: points, hasWaited }: Run): void | Promise<void> {
  const { scheduler, flow, signal, requestCost } = context;
  if (hasWaited) return scheduler.charge(flow, Math.max(0, points - LIMITS.unreadDocumentCost));
  return giveBackUnless(scheduler.enter(flow, points, signal), requestCost);
}

/** Limits how many expensive queries run at once. This is the last wait, so that no query holds a slot while it waits for something else. */
function awaitSlot(run: Run): void | Promise<void> {
  const { found, context, price: points } = run;
  if (found.type !== 'query' || points < LIMITS.expensiveCost) return;
  const waiting = context.expensiveQueries.acquire(context.flow, context.signal);
  if (!waiting) return begin();
  return giveBackUnless(waiting, context.requestCost)
    .then(begin)
    .then(() => nextTurn());

  function begin(): void {
    run.hasSlot = true;
    context.database.makeExpensive();
  }
}

/** Gives back the points taken for an operation that is shed or aborted while it waits. */
function giveBackUnless(waiting: Promise<void>, requestCost: RequestCost): Promise<void> {
  return waiting.catch((error: unknown) => {
    requestCost.settle(0);
    throw error;
  });
}

/** Lets a query read a replica that has everything its caller has seen and written. All other operations read the primary. */
function chooseReplica({ found, context, request }: Run): void | Promise<void> {
  const { positions, database, flow } = context;
  if (!positions || found.type !== 'query' || database.isSnapshot) return;
  const seen = later(request.seen?.(), context.seen);
  return positions.find(flow.caller).then(async (written) => {
    if (written !== 'unknown') database.readFrom(await database.replicas?.choose(later(written, seen)));
  });
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

/**
 * Remembers the position of the change before the response is sent, so that the caller's next request sees the change, or why it failed.
 * If other instances cannot learn the position, the response waits, for a limited time, until all reachable replicas have it.
 */
function rememberChange({ found, executed, context }: Run): void | Promise<void> {
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
function settle({ found, executed, context }: Run): void {
  if (!executed || executed.result.errors) return;
  context.requestCost.settle(found.price.actual(executed.result.data));
}

/** Limits the size of the response before its text is written. @throws ApiError `response_too_large`. */
function boundResponse({ executed, context }: Run): void {
  if (executed) boundResult(executed.result.data, context.responseLimit);
}

/** Makes the response, so that an operation whose response is an error is counted as one. */
function respond({ executed, request }: Run): void {
  if (executed && !executed.result.errors) request.respond?.(executed.result);
}
