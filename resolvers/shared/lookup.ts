/** Finding the rows that requests name, and the conditions for changing them. */

import type { Principal } from '../../src/auth/policy.ts';
import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import type { Runner } from '../../src/db/database.ts';
import type { Lookup } from '../../src/db/queries/shared/owned.ts';
import { type Context, callerOf } from './context.ts';

/** An id that no row has. */
export const NO_ROW = 0;

/** Parses an `ID` as an integer; undefined if it cannot be a valid id. */
export function parseId(id: string | number): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(String(id)) ? Number(id) : undefined;
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** The id of a filter, with {@link NO_ROW} for one that cannot be valid; null without the filter. */
export const filterId = (id: string | number | null | undefined): number | null =>
  id == null ? null : (parseId(id) ?? NO_ROW);

/** The error for a row that does not exist. @param missing the argument with its id, if the request is about something else. */
const notFound = (missing?: ErrorDetail): ApiError =>
  new ApiError('not_found', { details: missing && [missing] });

/** The argument `path` of a person that the caller's organisation does not have. */
export const noPerson = (path: string): ErrorDetail => ({
  path,
  message: 'is not a person of your organisation',
});

/** Like {@link parseId}, but throws `not_found` for an invalid id. */
export function requireId(id: string | number, missing?: ErrorDetail): number {
  const number = parseId(id);
  if (number === undefined) throw notFound(missing);
  return number;
}

/**
 * Finds a row of the caller's organisation; null if there is none.
 *
 * @throws ApiError `forbidden` for a row of another organisation: the specification requires 403, which reveals that the row
 *   exists, but nothing else about it.
 */
export async function findOwn<Row>(
  context: Context,
  id: string | number,
  lookup: Lookup<Row>,
): Promise<Row | null> {
  const { org } = callerOf(context);
  const number = parseId(id);
  if (number === undefined) return null;
  const row = await lookup.find(context.database, org, number);
  if (row !== undefined) return row;
  refuseForeign(org, await lookup.orgOf(context.database, number));
  return null;
}

/** Like {@link findOwn}, but throws `not_found` if there is no such row. */
export async function requireOwn<Row>(
  context: Context,
  id: string | number,
  lookup: Lookup<Row>,
  missing?: ErrorDetail,
): Promise<Row> {
  const row = await findOwn(context, id, lookup);
  if (row === null) throw notFound(missing);
  return row;
}

/**
 * Returns the id of a row that the caller's organisation has or has had: a deletion may be repeated.
 *
 * @throws ApiError `not_found` for a row that never existed, `forbidden`.
 */
export async function requireOwnId(
  context: Context,
  id: string | number,
  { orgOf }: Pick<Lookup<unknown>, 'orgOf'>,
  missing?: ErrorDetail,
): Promise<number> {
  const number = requireId(id, missing);
  const owner = await orgOf(context.database, number);
  if (owner === undefined) throw notFound(missing);
  refuseForeign(callerOf(context).org, owner);
  return number;
}

/**
 * The error for a row that the caller's organisation does not have: throws `forbidden` if another one has it, else returns
 * `not_found`.
 */
export async function absence(
  db: Runner,
  callerOrg: string,
  id: number,
  { orgOf }: Pick<Lookup<unknown>, 'orgOf'>,
  missing?: ErrorDetail,
): Promise<ApiError> {
  refuseForeign(callerOrg, await orgOf(db, id));
  return notFound(missing);
}

/**
 * Returns the caller, for an operation in the named organisation.
 *
 * @throws ApiError `forbidden` if that is not the caller's organisation, whether or not it exists.
 */
export function callerIn(context: Context, org: string): Principal {
  const caller = callerOf(context);
  refuseForeign(caller.org, org);
  return caller;
}

/** @throws ApiError `forbidden` when a row belongs to another organisation than the caller. */
export function refuseForeign(callerOrg: string, owner: string | undefined): void {
  if (owner !== undefined && owner !== callerOrg) {
    throw new ApiError('forbidden', { message: 'This belongs to another organisation.' });
  }
}

/**
 * Requires that a row was deleted before, if a guarded deletion has not matched it: a deletion may be repeated.
 *
 * @throws ApiError `not_found` for a row that never existed, `forbidden`, `precondition_failed`.
 */
export function requireDeleted(
  callerOrg: string,
  row: { readonly org: string; readonly deletedAt: Date | null } | undefined,
): void {
  refuseForeign(callerOrg, row?.org);
  if (!row) throw new ApiError('not_found');
  if (!row.deletedAt) throw new ApiError('precondition_failed');
}
