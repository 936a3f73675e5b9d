import { recordChange } from '../../src/auth/changes.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError } from '../../src/core/errors.ts';
import { requireVersion, type Versions } from '../../src/core/versions.ts';
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
  UpdateDocumentInput,
} from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { callerIn, requireDeleted, requireId } from '../shared/lookup.ts';
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
 * matches no row, the reason is determined afterwards. An update without a difference creates no new version.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`.
 */
export async function changeDocument(
  context: Context,
  { org, id, input, ifVersion: versions = null }: MutationUpdateDocumentArgs,
): Promise<DocumentRow> {
  const caller = callerIn(context, org);
  const documentId = requireId(id);
  const requirePresent = (tx: Transaction) => requireWritable(tx, caller, documentId, versions);
  const write = async (tx: Transaction, present: DocumentRow): Promise<DocumentRow> => {
    const change = {
      title: input.title ?? present.title,
      body: input.body ?? present.body,
      classification: input.classification ?? present.classification,
    } satisfies Record<keyof UpdateDocumentInput, unknown>;
    if (changesNothing(present, change)) return present;
    const document = await updateDocument(tx, writerOf(caller), present, change, context.clock());
    if (!document) {
      const current = await requirePresent(tx);
      // Only a changed classification is refused to a caller who may change the rest.
      if (current.version === present.version) throw sharingForbidden();
      return write(tx, current);
    }
    await recordChange(tx, caller, { type: 'document.updated', ...aboutDocument(document) }, context.clock);
    return document;
  };
  return context.work.commit(async (tx) => write(tx, await requirePresent(tx)));
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
 * Returns the present document, if the caller may change it.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`.
 */
async function requireWritable(
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
