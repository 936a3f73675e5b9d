import { recordChange } from '../../src/auth/changes.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Runner } from '../../src/db/database.ts';
import {
  findWritableDocument,
  insertDocument,
  ownerOfDocument,
  removeDocument,
  updateDocument,
} from '../../src/db/queries/documents.ts';
import type { DocumentRow } from '../../src/db/rows.ts';
import type { CreateDocumentInput, UpdateDocumentInput } from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { refuseForeign, requireId } from '../shared/lookup.ts';
import { requireVersion, type Versions } from '../shared/versions.ts';
import { callerIn, refusalOf, writerOf } from './access.ts';

/** Creates a document of the caller's, with its event. */
export async function createDocument(
  context: Context,
  org: string,
  { title, body, classification }: CreateDocumentInput,
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
 * Changes a document. Who may do so is in the statement's `where`, so that it holds in the moment of the change; why it
 * found nothing is found out afterwards.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`.
 */
export async function changeDocument(
  context: Context,
  org: string,
  id: string | number,
  { title = null, body = null, classification = null }: UpdateDocumentInput,
  versions: Versions,
): Promise<DocumentRow> {
  const caller = callerIn(context, org);
  const documentId = requireId(id);
  const writer = writerOf(caller);
  return context.work.commit(async (tx) => {
    if (title === null && body === null && classification === null) {
      return unchanged(tx, caller, documentId, versions);
    }
    const change = { title, body, classification, versions, now: context.clock() };
    const document = await updateDocument(tx, { ...writer, id: documentId, ...change });
    if (!document) {
      // Of the guards, the one of the classification is left when these hold.
      await unchanged(tx, caller, documentId, versions);
      throw notYoursToPassOn();
    }
    await recordChange(tx, caller, { type: 'document.updated', ...aboutDocument(document) }, context.clock);
    return document;
  });
}

/**
 * Removes a document. Removing it again is no error, and writes no second event.
 *
 * @throws ApiError `not_found` for a document that never was, `forbidden`, `precondition_failed`.
 */
export async function deleteDocument(
  context: Context,
  org: string,
  id: string | number,
  versions: Versions,
): Promise<number> {
  const caller = callerIn(context, org);
  const documentId = requireId(id);
  await context.work.commit(async (tx) => {
    const removed = await removeDocument(tx, { org, id: documentId, versions, now: context.clock() });
    if (removed) {
      await recordChange(tx, caller, { type: 'document.deleted', ...aboutDocument(removed) }, context.clock);
      return;
    }
    const owner = await ownerOfDocument(tx, documentId);
    refuseForeign(org, owner?.org);
    if (!owner) throw new ApiError('not_found');
    if (!owner.deleted) throw new ApiError('precondition_failed');
  });
  return documentId;
}

/** For those who may change the text of a document, and not say who else reads it. */
export function notYoursToPassOn(): ApiError {
  return new ApiError('forbidden', {
    message:
      'Changing the classification of a document requires write:docs and access without a share; a share as writer allows changes of its text only.',
  });
}

/**
 * What an event says about a document. It leaves out the text, and the title of a confidential one: who may see an event goes
 * by what the document is when it is read, and declassifying a document does not give away what it was called before.
 */
export const aboutDocument = ({ id, org, title, classification }: DocumentRow) => ({
  org,
  subjectId: id,
  data: { ...(classification !== 'confidential' && { title }), classification },
});

/**
 * The document as it is, for a change that changes nothing.
 *
 * @throws ApiError as for one that does.
 */
async function unchanged(
  db: Runner,
  caller: Principal,
  id: number,
  versions: Versions,
): Promise<DocumentRow> {
  const document = await findWritableDocument(db, writerOf(caller), id);
  if (!document) throw await refusalOf(db, caller, id);
  requireVersion(document, versions);
  return document;
}
