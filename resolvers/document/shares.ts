import { recordChange } from '../../src/auth/changes.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
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
import { findUser, orgOfUser } from '../../src/db/queries/users.ts';
import type { DocumentRow, ShareRow } from '../../src/db/rows.ts';
import type { CreateShareInput } from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { parseId, refuseForeign, requireId } from '../shared/lookup.ts';
import { callerIn, notYoursToChange, refusalOf, writerOf } from './access.ts';
import { aboutDocument, notYoursToPassOn } from './changes.ts';
import { sharesOfDocument } from './loaders.ts';

/**
 * The shares of a document that the caller was found to be allowed to read. Of many documents they are fetched together, and so
 * is why they are not to be had.
 *
 * @throws ApiError `forbidden` for a document that the caller may not change.
 */
export async function sharesOfReadable(context: Context, id: number): Promise<readonly ShareRow[]> {
  const shares = await sharesOfDocument(context).load(id);
  if (!shares) throw notYoursToChange();
  return shares;
}

/**
 * The shares of a document that the caller may change.
 *
 * @throws ApiError `not_found`, `forbidden`.
 */
async function sharesOf(
  context: Context,
  org: string,
  documentId: string | number,
): Promise<readonly ShareRow[]> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  const shares = await sharesOfDocument(context).load(id);
  if (!shares) throw await refusalOf(context.database, caller, id);
  return shares;
}

/**
 * What the document is shared with one person as, null where it is not.
 *
 * @throws ApiError as `sharesOf`, and `forbidden` for a person of another organisation.
 */
export async function shareOf(
  context: Context,
  org: string,
  documentId: string | number,
  userId: string | number,
): Promise<ShareRow | null> {
  const shares = await sharesOf(context, org, documentId);
  const personId = parseId(userId);
  const share = shares.find((one) => one.userId === personId);
  if (share || personId === undefined) return share ?? null;
  refuseForeign(org, await orgOfUser(context.database, personId));
  return null;
}

/**
 * Shares a document, or changes what it is shared as. Where nothing is to be changed, nothing is written.
 *
 * @throws ApiError `not_found`, `forbidden`, `validation_failed` for a person who cannot be shared with, `conflict`
 *   when the document is shared with as many as it can be.
 */
export async function shareDocument(
  context: Context,
  org: string,
  documentId: string | number,
  { userId, relation }: CreateShareInput,
): Promise<ShareRow> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  return context.work.commit(async (tx) => {
    const document = await holdForSharing(tx, caller, id);
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
      ? await changeShare(tx, sharing, relation)
      : await insertShare(tx, { ...sharing, relation, createdAt: context.clock() });
    await recordChange(
      tx,
      caller,
      { type: 'document.shared', ...aboutShare(document, share) },
      context.clock,
    );
    return share;
  });
}

/**
 * Withdraws a share. Withdrawing what is not there is no error, and writes no event.
 *
 * @throws ApiError `not_found` for a document or a person that cannot be, `forbidden`.
 */
export async function unshareDocument(
  context: Context,
  org: string,
  documentId: string | number,
  userId: string | number,
): Promise<number> {
  const caller = callerIn(context, org);
  const id = requireId(documentId);
  const personId = requireId(userId);
  await context.work.commit(async (tx) => {
    const document = await holdForSharing(tx, caller, id);
    const removed = await removeShare(tx, { org, documentId: id, userId: personId });
    if (!removed) {
      const owner = await orgOfUser(tx, personId);
      refuseForeign(org, owner);
      if (owner === undefined) throw new ApiError('not_found');
      return;
    }
    await recordChange(
      tx,
      caller,
      { type: 'document.unshared', ...aboutShare(document, removed) },
      context.clock,
    );
  });
  return personId;
}

/** What an event says about a share of a document. */
function aboutShare(document: DocumentRow, { userId, relation }: Pick<ShareRow, 'userId' | 'relation'>) {
  const { data, ...rest } = aboutDocument(document);
  return { ...rest, data: { ...data, user_id: userId, relation } };
}

/** @throws ApiError `not_found`, `forbidden`. */
async function holdForSharing(tx: Transaction, caller: Principal, id: number): Promise<DocumentRow> {
  const writer = writerOf(caller);
  const document = await holdDocument(tx, writer, id);
  if (document) return document;
  if (await findWritableDocument(tx, writer, id)) throw notYoursToPassOn();
  throw await refusalOf(tx, caller, id);
}

async function requirePerson(db: Runner, org: string, userId: string | number): Promise<number> {
  const id = parseId(userId);
  const person = id === undefined ? undefined : await findUser(db, org, id);
  if (person && person.removedAt === null) return person.id;
  const message = 'is not a person of your organisation';
  throw new ApiError('validation_failed', {
    message: `input.userId ${message}.`,
    details: [{ path: 'input.userId', message }],
  });
}
