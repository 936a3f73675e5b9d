/**
 * The caller as it is in the moment of a write. A token says what its owner was when it was made, and lives on for minutes
 * after that person was demoted or removed.
 */
import type { Runner } from '../db/database.ts';
import { findUser } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { ApiError } from '../errors.ts';
import { hasRole, type Principal } from './policy.ts';

/** The caller's present row, undefined when it has left. An operator has none, and cannot leave. */
export type CallerNow = UserRow | 'operator' | undefined;

/** Asked for inside the transaction that writes. */
export async function findCallerNow(db: Runner, { kind, org, userId }: Principal): Promise<CallerNow> {
  return kind === 'operator' ? 'operator' : findUser(db, org, userId);
}

/**
 * Nobody shall use the rest of a token to get back in, so who makes administrators and keys, and renames other people, goes
 * by the role that the caller has now.
 *
 * @throws ApiError `insufficient_role`, also for somebody who has left.
 */
export function requireAdministrator(caller: CallerNow): void {
  if (caller === 'operator' || (caller && hasRole(caller.role, 'admin'))) return;
  throw new ApiError('insufficient_role', {
    message: 'You are not an administrator any more. Sign in again.',
  });
}

/**
 * Who has left writes nothing any more.
 *
 * @throws ApiError `forbidden`.
 */
export function requirePresent(caller: CallerNow): void {
  if (caller) return;
  throw new ApiError('forbidden', { message: 'You do not belong to this organisation any more.' });
}
