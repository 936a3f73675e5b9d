/**
 * Changes by callers follow one rule: when they commit, the caller still has the rights it was admitted with. A token states the
 * rights at the time when it was issued, and stays valid for minutes after a demotion or removal.
 */
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { ROLES } from '../core/roles.ts';
import type { Transaction } from '../db/database.ts';
import { insertEventWhile, LostStanding } from '../db/queries/events.ts';
import { holdsStanding, type Standing } from '../db/queries/standing.ts';
import { users } from '../db/queries/users.ts';
import { columnsOf, type EventToRecord, record } from '../events/record.ts';
import { originOf } from './origins.ts';
import { actorIdOf, hasRole, type Principal } from './policy.ts';

/** What changes of a caller need of the work of their mutation. */
export interface Commits {
  /** Runs a change in one transaction, which stores what the change returns under the caller's idempotency key. */
  readonly commit: <T>(change: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** A caller that keeps its rights until the transaction ends. Only {@link holdRights} makes one. */
export class HeldRights {
  readonly caller: Principal;

  constructor(caller: Principal) {
    this.caller = caller;
  }
}

/**
 * Adds the event of a caller's change to the log, in the transaction of the change. The insert itself checks that the person is a
 * member with at least the role that the caller was admitted with, and that its key, certificate or grant is not revoked. So the
 * check takes no further round trip, and the insert may be among the last statements of the transaction.
 *
 * @param by the caller. One that `holdRights` returned is not checked again: for changes by which callers lose their own rights.
 * @returns the event's id.
 * @throws ApiError like {@link holdRights}, which rolls the transaction back.
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
    if (error.of === 'role') throw roleReduced();
    throw standingLost(caller);
  }
}

/**
 * Checks the caller's rights and keeps them until the transaction ends: for changes without an event, and before any change of
 * people or their credentials. Like recording an event, it takes the organisation's lock; so it must be called after locking
 * other rows, and before locking those of people and keys.
 *
 * @throws ApiError `invalid_token` for a removed person and for revoked credentials, `insufficient_role` for a person whose role
 *   is lower than the one that the caller was admitted with.
 */
export async function holdRights(tx: Transaction, caller: Principal): Promise<HeldRights> {
  if (caller.kind !== 'operator' && !(await holdsStanding(tx, standingOf(caller)))) {
    throw await lossOf(tx, caller);
  }
  return new HeldRights(caller);
}

/**
 * Returns the rights that the caller must still have. Rules that depend on rows (who may read a document) use the caller's role as
 * well, so a caller with a lower role is refused, and a retry is checked with the new role.
 */
function standingOf(caller: Principal): Standing {
  const { org, userId, role, credential } = caller;
  const roles = ROLES.filter((each) => hasRole(each, role));
  return { org, userId, roles, credential: credential ?? null };
}

async function lossOf(tx: Transaction, caller: Principal): Promise<ApiError> {
  const { org, userId, role } = caller;
  const person = await users.find(tx, org, userId);
  if (!person) return memberRemoved();
  return hasRole(person.role, role) ? standingLost(caller) : roleReduced();
}

/** The error for a caller whose credentials were revoked, or who was removed if the credentials cannot be revoked. */
const standingLost = (caller: Principal): ApiError =>
  caller.credential ? credentialLost(caller) : memberRemoved();

/** The error for a person whose role was reduced since the caller was admitted. */
export const roleReduced = (): ApiError =>
  new ApiError('insufficient_role', {
    message: 'Your role was reduced during the request. Sign in again.',
  });

/** The error for an app that has lost scopes since the caller was admitted. */
export const scopesReduced = (): ApiError =>
  new ApiError('insufficient_scope', { message: 'The scopes of the app were reduced during the request.' });

/** The error for credentials of a removed person. */
export const memberRemoved = (): ApiError =>
  new ApiError('invalid_token', { message: 'You no longer belong to this organisation.' });

const CREDENTIAL_NAMES = { api_key: 'API key', certificate: 'client certificate' };

/** The error for a caller whose API key, client certificate or grant was revoked since it was admitted. */
export function credentialLost({ kind }: Pick<Principal, 'kind'>): ApiError {
  if (kind === 'app') return grantEnded();
  const name = CREDENTIAL_NAMES[kind === 'certificate' ? kind : 'api_key'];
  return new ApiError('invalid_token', { message: `The ${name} was revoked.` });
}

/** The error for credentials that have expired. Apps, and people who have signed in, have access tokens. */
export function credentialExpired({ kind }: Pick<Principal, 'kind'>): ApiError {
  if (kind !== 'api_key' && kind !== 'certificate') return new ApiError('token_expired');
  return new ApiError('token_expired', { message: `The ${CREDENTIAL_NAMES[kind]} has expired.` });
}

/** The error for an app's token whose grant was revoked, or whose app was uninstalled. */
export const grantEnded = (): ApiError =>
  new ApiError('invalid_token', { message: 'The grant of this token has ended.' });

/** The error for an access token of an ended session. */
export const sessionEnded = (): ApiError =>
  new ApiError('invalid_token', { message: 'The session was ended. Sign in again.' });
