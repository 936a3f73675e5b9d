import { isUnnarrowed, type Principal, readerOf } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Runner } from '../../src/db/database.ts';
import { findDocument, ownerOfDocument, type Writer } from '../../src/db/queries/documents.ts';
import type { DocumentRow } from '../../src/db/rows.ts';
import type { Context } from '../shared/context.ts';
import { parseId, refuseForeign } from '../shared/lookup.ts';

/**
 * Finds a document that the caller may read; null if there is none.
 *
 * @throws ApiError `forbidden` for a document of another organisation, and for one that the caller may not read.
 */
export async function findReadable(
  context: Context,
  caller: Principal,
  id: string | number,
): Promise<DocumentRow | null> {
  const number = parseId(id);
  if (number === undefined) return null;
  const document = await findDocument(context.database, { ...readerOf(caller), id: number });
  if (document) return document;
  const refusal = await refusalOf(context.database, caller, number);
  if (refusal.code === 'not_found') return null;
  throw refusal;
}

/**
 * Returns the error for a document that could not be read or written: `not_found` or `forbidden`.
 *
 * @throws ApiError `forbidden` for a document of another organisation.
 */
export async function refusalOf(db: Runner, caller: Principal, id: number): Promise<ApiError> {
  const owner = await ownerOfDocument(db, { id });
  if (owner === undefined) return new ApiError('not_found');
  refuseForeign(caller.org, owner.org);
  if (owner.deletedAt) return new ApiError('not_found');
  if (await findDocument(db, { ...readerOf(caller), id })) return changeForbidden();
  return new ApiError('forbidden', {
    message: 'This document is confidential and not shared with you.',
  });
}

/** The error for callers who may read a document but not change it. */
export function changeForbidden(): ApiError {
  return new ApiError('forbidden', {
    message:
      'You may read this document. Changing it requires write:docs, or a share as writer and a full sign-in.',
  });
}

/**
 * What a caller's right to change documents is based on. Which documents the right covers is decided per row, in SQL
 * (`src/db/queries/documents.ts`).
 *
 * `role`: `write:docs`, for all documents that the caller may read, unless only through a share as reader. `share`: documents that
 * are shared with the caller as writer. Shares are made with the person, so narrowed tokens and API keys do not inherit
 * them: these callers have `none`.
 */
type DocumentRight = 'role' | 'share' | 'none';

export function documentRight(principal: Principal): DocumentRight {
  if (principal.scopes.has('write:docs')) return 'role';
  return principal.kind === 'user' && isUnnarrowed(principal) ? 'share' : 'none';
}

/** The caller as a parameter of the queries that change documents. */
export const writerOf = (principal: Principal): Writer => ({
  ...readerOf(principal),
  right: documentRight(principal),
});
