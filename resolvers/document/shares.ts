import { holdRights, recordChange } from '../../src/auth/changes.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Runner, Transaction } from '../../src/db/database.ts';
import { findWritableDocument, holdDocument } from '../../src/db/queries/documents.ts';
import {
  changeShare,
  countShares,
  findShare,
  insertShare,
  removeShare,
} from '../../src/db/queries/shares.ts';
import { users } from '../../src/db/queries/users.ts';
import type { DocumentRow, ShareRow } from '../../src/db/rows.ts';
import type {
  MutationCreateShareArgs,
  MutationDeleteShareArgs,
  QueryShareArgs,
} from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { callerIn, parseId, refuseForeign, requireId } from '../shared/lookup.ts';
import { changeForbidden, refusalOf, writerOf } from './access.ts';
import { aboutDocument, sharingForbidden } from './changes.ts';
import { isDeletedDocument, sharesOfDocument } from './loaders.ts';

/**
 * The shares of a document that the caller is known to have been allowed to read. For many documents, shares and rights are fetched in
 * one statement.
 *
 * @throws ApiError `forbidden` for a document that the caller may not change.
 */
export async function sharesOfReadable(context: Context, id: number): Promise<readonly ShareRow[]> {
  const shares = await sharesOfDocument(context).load(id);
  if (shares) return shares;
  // A document that was deleted since it was read is no longer shared: the replay of its creation must not fail.
  if (await isDeletedDocument(context).load(id)) return [];
  throw changeForbidden();
}

/**
 * Finds the share of one person; null if the document is not shared with them.
 *
 * @throws ApiError `not_found`, `forbidden` for a document that the caller may not change, or a person of another organisation.
 */
export async function shareOf(
  context: Context,
  { org, documentId, userId }: QueryShareArgs,
): Promise<ShareRow | null> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  const shares = await sharesOfDocument(context).load(id);
  if (!shares) throw await refusalOf(context.database, caller, id);
  const personId = parseId(userId);
  const share = shares.find((one) => one.userId === personId);
  if (share || personId === undefined) return share ?? null;
  refuseForeign(org, await users.orgOf(context.database, personId));
  return null;
}

/**
 * Shares a document, or changes the relation of a share. If the share already has the relation, nothing is written.
 *
 * @throws ApiError `not_found`, `forbidden`, `validation_failed` for someone who is not a person of the organisation, `conflict`
 *   if the document has the maximum number of shares.
 */
export async function shareDocument(
  context: Context,
  { org, documentId, input: { userId, relation } }: MutationCreateShareArgs,
): Promise<ShareRow> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  return context.work.commit(async (tx) => {
    const document = await holdForSharing(tx, caller, id);
    // A person who is removed concurrently loses their shares either before or after this.
    const held = await holdRights(tx, caller);
    const personId = await requirePerson(tx, org, userId);
    const sharing = { org, documentId: id, userId: personId };
    const before = await findShare(tx, sharing);
    if (before?.relation === relation) return before;
    if (!before && (await countShares(tx, org, id)) >= LIMITS.documentShares) {
      throw new ApiError('conflict', {
        message: `The document is shared with ${LIMITS.documentShares} people, which is the maximum.`,
      });
    }
    const share = before
      ? await changeShare(tx, { ...sharing, relation })
      : await insertShare(tx, { ...sharing, relation, createdAt: context.clock() });
    const event = { type: 'document.shared', ...aboutShare(document, share) } as const;
    await recordChange(tx, held, event, context.clock);
    return share;
  });
}

/**
 * Removes a share. Removing a share that does not exist is not an error and writes no event.
 *
 * @throws ApiError `not_found` for an unknown document or person, `forbidden`.
 */
export async function unshareDocument(
  context: Context,
  { org, documentId, userId }: MutationDeleteShareArgs,
): Promise<number> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  const personId = requireId(userId);
  await context.work.commit(async (tx) => {
    const document = await holdForSharing(tx, caller, id);
    const held = await holdRights(tx, caller);
    const removed = await removeShare(tx, { org, documentId: id, userId: personId });
    if (!removed) {
      const owner = await users.orgOf(tx, personId);
      refuseForeign(org, owner);
      if (owner === undefined) throw new ApiError('not_found');
      return;
    }
    const event = { type: 'document.unshared', ...aboutShare(document, removed) } as const;
    await recordChange(tx, held, event, context.clock);
  });
  return personId;
}

/** The data of an event about a share. */
function aboutShare(document: DocumentRow, { userId, relation }: Pick<ShareRow, 'userId' | 'relation'>) {
  const { data, ...rest } = aboutDocument(document);
  return { ...rest, data: { ...data, user_id: userId, relation } };
}

/** Locks a document that the caller may share. @throws ApiError `not_found`, `forbidden`. */
async function holdForSharing(tx: Transaction, caller: Principal, id: number): Promise<DocumentRow> {
  const writer = writerOf(caller);
  const document = await holdDocument(tx, { ...writer, id });
  if (document) return document;
  if (await findWritableDocument(tx, { ...writer, id })) throw sharingForbidden();
  throw await refusalOf(tx, caller, id);
}

async function requirePerson(db: Runner, org: string, userId: string | number): Promise<number> {
  const id = parseId(userId);
  const person = id === undefined ? undefined : await users.find(db, org, id);
  if (person) return person.id;
  throw invalidValue('input.userId', 'is not a person of your organisation');
}
