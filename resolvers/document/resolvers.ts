import { readerOf } from '../../src/auth/readers.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { findReadableDocuments, findReadableIds } from '../../src/db/queries/document-lists.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { listEnd, pageSize } from '../shared/lists.ts';
import { cursorPage } from '../shared/pages.ts';
import { callerIn, findReadable } from './access.ts';
import { changeDocument, createDocument, deleteDocument } from './changes.ts';
import { shareDocument, shareOf, sharesOfReadable, unshareDocument } from './shares.ts';

/** Above every id: where a list that begins with the newest starts. */
const NEWEST = Number.MAX_SAFE_INTEGER;

export const document: Resolvers = {
  Query: {
    document: (_root, { org, id }, context) => findReadable(context, callerIn(context, org), id),
    documents: async (_root, { org, classification, ...page }, context) => {
      const reader = readerOf(callerIn(context, org));
      const filter = classification ?? null;
      const { cursors, database } = context;
      const list = ['documents', org, filter ?? ''];
      const [afterId] = page.after == null ? [0] : cursors.open(list, page.after);
      const size = pageSize(page.first);
      const { rows, stoppedAt } = await findReadableIds(database, reader, filter, Number(afterId), size + 1);
      const { nodes, ...rest } = cursorPage(
        rows,
        size,
        ({ id }) => cursors.seal(list, [id]),
        stoppedAt === undefined ? undefined : cursors.seal(list, [stoppedAt]),
      );
      const ids = nodes.map(({ id }) => id);
      return { nodes: ids.length === 0 ? [] : await findReadableDocuments(database, reader, ids), ...rest };
    },
    share: (_root, { org, documentId, userId }, context) => shareOf(context, org, documentId, userId),
  },
  Mutation: {
    createDocument: (_root, { org, input }, context) => createDocument(context, org, input),
    updateDocument: (_root, { org, id, input, ifVersion }, context) =>
      changeDocument(context, org, id, input, ifVersion ?? null),
    deleteDocument: (_root, { org, id, ifVersion }, context) =>
      deleteDocument(context, org, id, ifVersion ?? null),
    createShare: (_root, { org, documentId, input }, context) =>
      shareDocument(context, org, documentId, input),
    deleteShare: (_root, { org, documentId, userId }, context) =>
      unshareDocument(context, org, documentId, userId),
  },
  Document: {
    body: ({ id, body }, _args, { loaders }) => body ?? loaders.documents.body.load(id),
    author: ({ authorId }, _args, { loaders }) => loaders.user.load(authorId),
    shares: ({ id }, _args, context) => sharesOfReadable(context, id),
    history: async ({ org, id }, { first, after }, { cursors, loaders }) => {
      const list = ['history', org, id];
      const [beforeId] = after == null ? [NEWEST] : cursors.open(list, after);
      const size = pageSize(first);
      const wanted = { documentId: id, beforeId: Number(beforeId), size: size + 1 };
      const rows = await loaders.documents.history.load(wanted);
      const nodes = rows.map((row) => ({ ...row, cursor: cursors.seal(list, [row.id]) }));
      return cursorPage(nodes, size, ({ cursor }) => cursor);
    },
  },
  Share: {
    user: ({ userId }, _args, { loaders }) => loaders.user.load(userId),
  },
  User: {
    documents: ({ id }, args, { loaders }) => {
      const wanted = listEnd(args) ?? { end: 'first', size: LIMITS.pageDefault };
      return loaders.documents.ofAuthor.load({ userId: id, ...wanted });
    },
  },
};
