/**
 * Changes by callers follow one rule: at the commit the caller still has the rights it was admitted with. A token says
 * what its owner was when it was issued, and is valid for minutes after a demotion or removal.
 */
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { ROLES } from '../core/roles.ts';
import type { Transaction } from '../db/database.ts';
import { insertEventWhile, LostStanding } from '../db/queries/events.ts';
import { holdsStanding, type Standing } from '../db/queries/standing.ts';
import { findUser } from '../db/queries/users.ts';
import { columnsOf, type EventToRecord, record } from '../events/record.ts';
import { credentialOf } from './machine-credentials.ts';
import { originOf } from './origins.ts';
import { actorIdOf, hasRole, type Principal } from './policy.ts';

/** A caller that keeps its rights until the transaction ends. Only {@link holdRights} makes one. */
export class HeldRights {
  readonly caller: Principal;

  constructor(caller: Principal) {
    this.caller = caller;
  }
}

/**
 * Adds a line to the log for what a caller changes, in the transaction of the change. The insert itself asks whether the person
 * is present, with at least the role that the caller was let in with, and whether its API key is usable; it takes no further
 * round trip, and may be among the last statements of the transaction.
 *
 * @param by a caller that `holdRights` gave is not asked again: for changes by which callers lose their own rights.
 * @returns the event's id.
 * @throws ApiError as {@link holdRights}, which undoes the transaction.
 */
export async function recordChange(
  tx: Transaction,
  by: Principal | HeldRights,
  event: EventToRecord,
  clock: Clock,
): Promise<number> {
  const caller = by instanceof HeldRights ? by.caller : by;
  const origin = originOf(caller, tx.origin?.address ?? null);
  if (by instanceof HeldRights || caller.kind === 'operator') {
    return record(tx, { ...event, actorId: actorIdOf(caller) }, clock, origin);
  }
  try {
    return await insertEventWhile(tx, { ...columnsOf(event, clock), ...standingOf(caller) }, origin);
  } catch (error) {
    if (!(error instanceof LostStanding)) throw error;
    if (error.of === 'role') throw demoted();
    throw credentialOf(caller) ? credentialLost(caller) : hasLeft();
  }
}

/**
 * Makes sure that the caller has its rights and keeps them until the transaction ends: for what is written without an event, and
 * before any change of people or of API keys. It gives the transaction its turn among the writers of the organisation, as
 * recording an event does; so it comes after the locks on other rows, and before those on people and keys.
 *
 * @throws ApiError `invalid_token` for a person who has left and for an API key that was revoked, `insufficient_role` for a
 *   person who has a lesser role than the caller was let in with.
 */
export async function holdRights(tx: Transaction, caller: Principal): Promise<HeldRights> {
  if (caller.kind !== 'operator' && !(await holdsStanding(tx, standingOf(caller)))) {
    throw await lossOf(tx, caller);
  }
  return new HeldRights(caller);
}

/**
 * Rules that depend on rows (who may read a document) go by the caller's role as well, so a caller whose role has
 * changed is refused, and a retry is judged by the role that it has then.
 */
function standingOf(caller: Principal): Standing {
  const { org, userId, role } = caller;
  const roles = ROLES.filter((each) => hasRole(each, role));
  return {
    org,
    userId,
    roles,
    credential: credentialOf(caller),
  };
}

/** Which of its rights the caller has lost. */
async function lossOf(tx: Transaction, caller: Principal): Promise<ApiError> {
  const { org, userId, role } = caller;
  const person = await findUser(tx, org, userId);
  if (!person) return hasLeft();
  return hasRole(person.role, role) ? (credentialOf(caller) ? credentialLost(caller) : hasLeft()) : demoted();
}

/** For a person whose role became a lesser one since the caller was let in. */
export const demoted = (): ApiError =>
  new ApiError('insufficient_role', {
    message: 'Your role was reduced during the request. Sign in again.',
  });

/** For credentials of a removed person. */
export const hasLeft = (): ApiError =>
  new ApiError('invalid_token', { message: 'You no longer belong to this organisation.' });

/** For a caller whose API key, client certificate or grant was revoked after it was shown. */
export function credentialLost({ kind }: Pick<Principal, 'kind'>): ApiError {
  if (kind === 'app') return grantEnded();
  const name = kind === 'certificate' ? 'client certificate' : 'API key';
  return new ApiError('invalid_token', { message: `The ${name} was revoked.` });
}

/** For a token of an app whose grant was revoked, or that was uninstalled. */
export const grantEnded = (): ApiError =>
  new ApiError('invalid_token', { message: 'The grant of this token has ended.' });

/** For an access token of a session that was ended. */
export const sessionEnded = (): ApiError =>
  new ApiError('invalid_token', { message: 'The session was ended. Sign in again.' });
