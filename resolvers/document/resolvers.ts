import { readerOf } from '../../src/auth/policy.ts';
import {
  findReadableDocuments,
  findReadableIds,
  searchReadableIds,
} from '../../src/db/queries/document-lists.ts';
import type { DocumentRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { pageOfEvents } from '../activity/log.ts';
import { callerIn } from '../shared/lookup.ts';
import { listEnd, pageById, withRows } from '../shared/paging.ts';
import { pageOfFound, readWords } from '../shared/searching.ts';
import { userById } from '../user/loaders.ts';
import { findReadable } from './access.ts';
import { changeDocument, createDocument, deleteDocument } from './changes.ts';
import { bodyOfDocument, documentsOfAuthor, historyOfDocument } from './loaders.ts';
import { shareDocument, shareOf, sharesOfReadable, unshareDocument } from './shares.ts';

/** A document. Documents read as part of a list have no text yet; `Document.body` loads it. */
export type DocumentNode = ListedDocument & Partial<Pick<DocumentRow, 'body'>>;

export type ShareNode = ShareRow;

export const resolvers: Resolvers = {
  Query: {
    document: (_root, { org, id }, context) => findReadable(context, callerIn(context, org), id),
    documents: async (_root, { org, classification, q, ...page }, context) => {
      const reader = readerOf(callerIn(context, org));
      const filter = classification ?? null;
      const { database } = context;
      const list = ['documents', org, filter ?? ''];
      const load = (ids: readonly number[]) => findReadableDocuments(database, { ...reader, ids });
      if (q != null) {
        const words = readWords(q);
        return pageOfFound(context, page, {
          list,
          words,
          find: (from, limit, way) =>
            searchReadableIds(database, { ...reader, words, classification: filter }, from, limit, way),
          load,
        });
      }
      const found = await pageById<{ id: number }>(context, list, page, (part, way) =>
        findReadableIds(database, { ...reader, ...part }, filter, way),
      );
      return withRows(found, load);
    },
    share: (_root, args, context) => shareOf(context, args),
  },
  Mutation: {
    createDocument: (_root, args, context) => createDocument(context, args),
    updateDocument: (_root, args, context) => changeDocument(context, args),
    deleteDocument: (_root, args, context) => deleteDocument(context, args),
    createShare: (_root, args, context) => shareDocument(context, args),
    deleteShare: (_root, args, context) => unshareDocument(context, args),
  },
  Document: {
    body: ({ id, body }, _args, context) => body ?? bodyOfDocument(context).load(id),
    author: ({ authorId }, _args, context) => userById(context).load(authorId),
    shares: ({ id }, _args, context) => sharesOfReadable(context, id),
    history: ({ org, id }, args, context) =>
      pageOfEvents(context, { org, list: ['history', org, id] }, args, (part, way) =>
        historyOfDocument(context).load({ parentId: id, ...part, way }),
      ),
  },
  Share: {
    user: ({ userId }, _args, context) => userById(context).load(userId),
  },
  User: {
    documents: ({ id }, args, context) => {
      const wanted = listEnd(context, args);
      return documentsOfAuthor(context).load({ parentId: id, ...wanted });
    },
  },
};
