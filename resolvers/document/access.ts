import { isUnnarrowed, type Principal } from '../../src/auth/policy.ts';
import { readerOf } from '../../src/auth/readers.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Runner } from '../../src/db/database.ts';
import { findDocument, ownerOfDocument, type Writer } from '../../src/db/queries/documents.ts';
import type { DocumentRow } from '../../src/db/rows.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { parseId, refuseForeign } from '../shared/lookup.ts';

/**
 * Who is calling, who named the organisation to be worked in.
 *
 * @throws ApiError `forbidden` when that is not the caller's own, whether or not there is one of that name.
 */
export function callerIn(context: Context, org: string): Principal {
  const caller = callerOf(context);
  refuseForeign(caller.org, org);
  return caller;
}

/**
 * A document that the caller may read, null when there is none.
 *
 * @throws ApiError `forbidden` for one of another organisation, and for one that is not open to the caller.
 */
export async function findReadable(
  context: Context,
  caller: Principal,
  id: string | number,
): Promise<DocumentRow | null> {
  const number = parseId(id);
  if (number === undefined) return null;
  const document = await findDocument(context.database, readerOf(caller), number);
  if (document) return document;
  const refusal = await refusalOf(context.database, caller, number);
  if (refusal.code === 'not_found') return null;
  throw refusal;
}

/**
 * Why a document cannot be read or written: `not_found` or `forbidden`.
 *
 * @throws ApiError `forbidden` for one of another organisation.
 */
export async function refusalOf(db: Runner, caller: Principal, id: number): Promise<ApiError> {
  const owner = await ownerOfDocument(db, id);
  if (owner === undefined) return new ApiError('not_found');
  refuseForeign(caller.org, owner.org);
  if (owner.deleted) return new ApiError('not_found');
  if (await findDocument(db, readerOf(caller), id)) return notYoursToChange();
  return new ApiError('forbidden', {
    message: 'This document is confidential, and it is not shared with you.',
  });
}

/** For those who may read a document, and no more. */
export function notYoursToChange(): ApiError {
  return new ApiError('forbidden', {
    message:
      'You may read this document. Changing it requires write:docs, or a share as writer and a full sign-in.',
  });
}

/**
 * What a caller may write documents by. Which documents that opens is for the rows to say, in SQL
 * (`src/db/queries/documents.ts`).
 *
 * `role` is `write:docs`: all documents that the caller may read by more than a share as reader. `share` are the documents
 * that are shared with the caller as writer. It is the person they are shared with, so that a token that was cut down
 * and a machine's key do not get that by themselves: for them there is `none`.
 */
export type DocumentRight = 'role' | 'share' | 'none';

export function documentRight(principal: Principal): DocumentRight {
  if (principal.scopes.has('write:docs')) return 'role';
  return principal.kind === 'user' && isUnnarrowed(principal) ? 'share' : 'none';
}

/** A caller as one for whom documents are written. */
export const writerOf = (principal: Principal): Writer => ({
  ...readerOf(principal),
  right: documentRight(principal),
});
