/** The steps before the execution of an operation. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { later } from '../../db/wal-position.ts';
import { requireAllowed } from '../price/pricing.ts';
import type { RequestCost } from '../request-cost.ts';
import type { Run } from './run-state.ts';

export function findOperation(run: Run): void | Promise<void> {
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

export function authorize({ found, request, context }: Run): void {
  if (request.isSafe && found.type === 'mutation') {
    throw new ApiError('method_not_allowed', { message: 'Send mutations with POST.', allow: 'POST' });
  }
  found.authorize(context);
}

export function readVariables(run: Run): void {
  run.variables = run.request.readVariables(run.found);
}

export function price(run: Run): void {
  const { found, request, context, variables } = run;
  run.price = found.price.requested(variables);
  // Before any refusal, so that its response reports what the operation would have cost.
  context.requestCost.request(run.price);
  requireAllowed(found.price, run.price);
  context.metrics.cost(request.door, run.price);
}

export function takePoints({ context, price: points }: Run): void | Promise<void> {
  return context.requestCost.take(points);
}

export function awaitStart({ context, price: points, hasWaited }: Run): void | Promise<void> {
  const { scheduler, flow, signal, requestCost } = context;
  if (hasWaited) return scheduler.charge(flow, Math.max(0, points - LIMITS.unreadDocumentCost));
  return giveBackUnless(scheduler.enter(flow, points, signal), requestCost);
}

/** Limits how many expensive queries run at once. This is the last wait, so that no query holds a slot while it waits for something else. */
export function awaitSlot(run: Run): void | Promise<void> {
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
export function chooseReplica({ found, context, request }: Run): void | Promise<void> {
  const { positions, database, flow } = context;
  if (!positions || found.type !== 'query' || database.isSnapshot) return;
  const seen = later(request.seen?.(), context.seen);
  return positions.find(flow.caller).then(async (written) => {
    if (written !== 'unknown') database.readFrom(await database.replicas?.choose(later(written, seen)));
  });
}
