/** Runs operations of all doors, as a list of steps in the order in which they run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Positions } from '../cluster/positions.ts';
import { monotonicTime } from '../core/clock.ts';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Replica } from '../db/database.ts';
import { later, UNKNOWN_WAL_POSITION, type WalPosition } from '../db/wal-position.ts';
import type { SchemaDeprecation } from '../graphql/directives/sunset.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Door, Refusal } from '../observability/metrics.ts';
import type { Context } from './context.ts';
import type { Executor, Operation } from './operation.ts';
import type { RequestCost } from './request-cost.ts';
import { boundResponse as boundResult } from './response-size.ts';

export type Variables = Readonly<Record<string, unknown>>;

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
  /** Opens a stream. If it is missing, subscriptions are refused. */
  subscribe?(operation: Operation, variables: Variables): Promise<S>;
}

/** The outcome of an operation: a refusal, a result, or a stream. */
export interface Outcome<S = never> {
  readonly operation: Operation | undefined;
  readonly refusal: ApiError | undefined;
  readonly executed: Executed | undefined;
  readonly stream: S | undefined;
  /** Deprecated parts of the schema that the operation uses. */
  readonly deprecations: readonly SchemaDeprecation[];
}

/** A result, and the function that writes its data as JSON. */
export interface Executed {
  readonly result: ExecutionResult;
  readonly write: Executor['write'];
}

/** The state of one operation. Each step relies on what those before it have set. */
export class Run<S> implements Outcome<S> {
  readonly request: OperationRequest<S>;
  readonly context: Context;
  readonly #began = monotonicTime();
  #deprecations: readonly SchemaDeprecation[] | undefined;
  operation: Operation | undefined;
  variables: Variables = {};
  /** The maximum cost in points. */
  price = 0;
  /** Whether it has already waited for its turn, as an operation does whose document had to be read. */
  hadTurn = false;
  /** Whether it holds one of the places for expensive queries. */
  hasPlace = false;
  executed: Executed | undefined;
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

  /** The deprecated parts of the schema that the operation uses, for use after the last step. */
  get deprecations(): readonly SchemaDeprecation[] {
    this.#deprecations ??= this.operation?.deprecations(this.variables) ?? [];
    return this.#deprecations;
  }

  get seconds(): number {
    return (monotonicTime() - this.#began) / 1000;
  }
}

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
  context.metrics.cost(request.door, run.price);
}

function takePoints<S>({ context, price: points }: Run<S>): void | Promise<void> {
  return context.requestCost.take(points);
}

function awaitTurn<S>({ context, price: points, hadTurn }: Run<S>): void | Promise<void> {
  const { scheduler, flow, signal, requestCost } = context;
  if (hadTurn) return scheduler.charge(flow, Math.max(0, points - LIMITS.unreadDocumentCost));
  const waiting = scheduler.enter(flow, points, signal);
  return waiting && giveBackUnless(waiting, requestCost);
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

/** Lets a query read a replica that has everything its caller has seen and written. All other operations read the primary. */
function chooseReplica<S>({ found, context, request }: Run<S>): void | Promise<void> {
  const { positions, database } = context;
  if (!positions || found.type !== 'query' || database.isSnapshot) return;
  return findReplica(positions, context, request.seen?.()).then((replica) => database.readFrom(replica));
}

async function findReplica(
  positions: Positions,
  { database, flow, seen: inHeaders }: Context,
  seen: WalPosition | undefined,
): Promise<Replica | undefined> {
  const written = await positions.find(flow.caller);
  if (written === 'unknown') return undefined;
  return database.replicas?.choose(later(written, later(seen, inHeaders)));
}

/** Remembers the position of the change before the response is sent, so that the caller's next request sees the change, or why it failed. */
function rememberChange<S>({ found, executed, context }: Run<S>): void | Promise<void> {
  const { positions, written } = context;
  if (!positions) return;
  const errors = executed?.result.errors;
  if (found.type === 'mutation' && errors) return rememberFailure(positions, context, errors);
  if (written !== undefined) return rememberWritten(positions, context, written);
}

/** If other instances cannot learn the position, the response waits, for a limited time, until all reachable replicas have it. */
async function rememberWritten(
  positions: Positions,
  { database, flow }: Context,
  written: WalPosition,
): Promise<void> {
  const isKnown = await positions.remember(flow.caller, written);
  if (!isKnown) await database.replicas?.caughtUp(written);
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

const WITHOUT_OUTCOME: ReadonlySet<ErrorCode> = new Set(['unavailable', 'timeout']);

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
  const { write } = executor;
  if (!(result instanceof Promise)) {
    run.executed = { result, write };
    return;
  }
  return result.then((value) => {
    run.executed = { result: value, write };
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
function boundResponse<S>({ executed }: Run<S>): void {
  if (executed) boundResult(executed.result.data);
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
