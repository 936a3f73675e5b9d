import { ApiError } from '../../src/core/errors.ts';
import type { Runner } from '../../src/db/database.ts';
import { type Context, callerOf } from './context.ts';

/** The integer that an `ID` stands for, undefined for a text that cannot be the id of anything here. */
export function parseId(id: string | number): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(String(id)) ? Number(id) : undefined;
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** The same, where there has to be something with that id: `not_found` for a text that is none. */
export function requireId(id: string | number): number {
  const number = parseId(id);
  if (number === undefined) throw new ApiError('not_found');
  return number;
}

/** How one kind of row is found, and whose it is when it was not found for the caller. */
export interface Lookup<Row> {
  find(db: Runner, org: string, id: number): Promise<Row | undefined>;
  orgOf(db: Runner, id: number): Promise<string | undefined>;
}

/**
 * A row of the caller's organisation, null when there is none.
 *
 * @throws ApiError `forbidden` for a row of another organisation: the spec wants 403 there, so its existence is no secret,
 *   and all else is.
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

/** The same, for a row that something is to be done with: `not_found` when there is none. */
export async function requireOwn<Row>(
  context: Context,
  id: string | number,
  lookup: Lookup<Row>,
): Promise<Row> {
  const row = await findOwn(context, id, lookup);
  if (row === null) throw new ApiError('not_found');
  return row;
}

/** Why a row was not found for the caller: `forbidden` when it is another organisation's, else `not_found`. */
export async function absence(
  db: Runner,
  callerOrg: string,
  id: number,
  { orgOf }: Pick<Lookup<unknown>, 'orgOf'>,
): Promise<ApiError> {
  refuseForeign(callerOrg, await orgOf(db, id));
  return new ApiError('not_found');
}

/** @throws ApiError `forbidden` when a row belongs to another organisation than the caller. */
export function refuseForeign(callerOrg: string, owner: string | undefined): void {
  if (owner !== undefined && owner !== callerOrg) {
    throw new ApiError('forbidden', { message: 'This belongs to another organisation.' });
  }
}
