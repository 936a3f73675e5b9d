/** The steps that let callers read replicas, and still read their own writes. */
import type { GraphQLError } from 'graphql';
import type { Positions } from '../cluster/positions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Replica } from '../db/database.ts';
import { later, UNKNOWN_WAL_POSITION, type WalPosition } from '../db/wal-position.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Context } from './context.ts';
import type { Run } from './run-state.ts';

/** Lets a query read a replica that has everything its caller has seen and written. All other operations read the primary. */
export function chooseReplica<S>({ found, context, request }: Run<S>): void | Promise<void> {
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
export function rememberChange<S>({ found, executed, context }: Run<S>): void | Promise<void> {
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

/** Errors of changes whose outcome is unknown. */
const WITHOUT_OUTCOME: ReadonlySet<ErrorCode> = new Set(['unavailable', 'timeout']);
