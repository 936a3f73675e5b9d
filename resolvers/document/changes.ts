import { recordChange } from '../../src/auth/changes.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Runner, Transaction } from '../../src/db/database.ts';
import {
  findWritableDocument,
  insertDocument,
  ownerOfDocument,
  removeDocument,
  updateDocument,
} from '../../src/db/queries/documents.ts';
import type { DocumentRow } from '../../src/db/rows.ts';
import type {
  MutationCreateDocumentArgs,
  MutationDeleteDocumentArgs,
  MutationUpdateDocumentArgs,
} from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { callerIn, requireDeleted, requireId, requireVersion, type Versions } from '../shared/lookup.ts';
import { refusalOf, writerOf } from './access.ts';

/** Creates a document, with the caller as its author, and records the event. */
export async function createDocument(
  context: Context,
  { org, input: { title, body, classification } }: MutationCreateDocumentArgs,
): Promise<DocumentRow> {
  const caller = callerIn(context, org);
  return context.work.commit(async (tx) => {
    const document = await insertDocument(tx, {
      org,
      authorId: caller.userId,
      title,
      body,
      classification: classification ?? 'internal',
      now: context.clock(),
    });
    await recordChange(tx, caller, { type: 'document.created', ...aboutDocument(document) }, context.clock);
    return document;
  });
}

/**
 * Changes a document. The rights are checked in the `where` of the statement, so that they hold at the time of the change. If it
 * matches no row, the reason is determined afterwards.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`.
 */
export async function changeDocument(
  context: Context,
  { org, id, input, ifVersion: versions = null }: MutationUpdateDocumentArgs,
): Promise<DocumentRow> {
  const { title = null, body = null, classification = null } = input;
  const caller = callerIn(context, org);
  const documentId = requireId(id);
  const writer = writerOf(caller);
  const write = async (tx: Transaction): Promise<DocumentRow> => {
    const change = { title, body, classification, versions, now: context.clock() };
    const document = await updateDocument(tx, { ...writer, id: documentId, ...change });
    if (!document) {
      const present = await unchanged(tx, caller, documentId, versions);
      if ((classification ?? present.classification) !== present.classification) throw sharingForbidden();
      const isSame = (title ?? present.title) === present.title && (body ?? present.body) === present.body;
      // It has changed since the update matched no row: try again.
      if (!isSame) return write(tx);
      // The document has this content already.
      return present;
    }
    await recordChange(tx, caller, { type: 'document.updated', ...aboutDocument(document) }, context.clock);
    return document;
  };
  return context.work.commit(write);
}

/**
 * Deletes a document. Idempotent: a repetition writes no second event.
 *
 * @throws ApiError `not_found` for a document that never existed, `forbidden`, `precondition_failed`.
 */
export async function deleteDocument(
  context: Context,
  { org, id, ifVersion: versions = null }: MutationDeleteDocumentArgs,
): Promise<number> {
  const caller = callerIn(context, org);
  const documentId = requireId(id);
  await context.work.commit(async (tx) => {
    const removed = await removeDocument(tx, { org, id: documentId, versions, now: context.clock() });
    if (removed) {
      await recordChange(tx, caller, { type: 'document.deleted', ...aboutDocument(removed) }, context.clock);
      return;
    }
    requireDeleted(org, await ownerOfDocument(tx, { id: documentId }));
  });
  return documentId;
}

/** The error for callers who may change the text of a document, but not who can read it. */
export function sharingForbidden(): ApiError {
  return new ApiError('forbidden', {
    message:
      'Sharing a document or changing its classification requires write:docs and access that does not come from a share. A share as writer only allows changes to title and text.',
  });
}

/**
 * The data of an event about a document. It omits the text, and the title of a confidential document: whether an event is visible
 * depends on the current classification, so declassifying a document would otherwise reveal its former titles.
 */
export const aboutDocument = ({ id, org, title, classification }: DocumentRow) => ({
  org,
  subjectId: id,
  data: { ...(classification !== 'confidential' && { title }), classification },
});

/**
 * Returns the unchanged document, for an update without a difference.
 *
 * @throws ApiError like an update that changes the document.
 */
async function unchanged(
  db: Runner,
  caller: Principal,
  id: number,
  versions: Versions,
): Promise<DocumentRow> {
  const document = await findWritableDocument(db, { ...writerOf(caller), id });
  if (!document) throw await refusalOf(db, caller, id);
  requireVersion(document, versions);
  return document;
}
