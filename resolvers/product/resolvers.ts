import { toMajorUnits } from '../../src/core/money.ts';
import { activeProducts, archivedProducts, findProducts, products } from '../../src/db/queries/products.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf, imageUrl } from '../shared/context.ts';
import { findOwn } from '../shared/lookup.ts';
import { pageById } from '../shared/paging.ts';
import { pageOfFound, readWords } from '../shared/searching.ts';
import { archiveProduct, changeProduct, createProduct } from './changes.ts';

export type ProductNode = ProductRow;

export const resolvers: Resolvers = {
  Query: {
    product: (_root, { id }, context) => findOwn(context, id, products),
    products: (_root, { archived, q, ...page }, context) => {
      const { org } = callerOf(context);
      const { database } = context;
      const { after, search } = archived ? archivedProducts : activeProducts;
      // The list of active products keeps its former name, so that its cursors from before `archived` existed stay valid.
      const list = archived ? ['products', org, 'archived'] : ['products', org];
      if (q != null) {
        const words = readWords(q);
        return pageOfFound(context, page, {
          list,
          words,
          find: (from, limit, way) => search(database, { org, words }, from, limit, way),
          load: (ids) => findProducts(database, { org, ids }),
        });
      }
      return pageById(context, list, page, (part, way) => after(database, { org, ...part }, way));
    },
  },
  Mutation: {
    createProduct: (_root, { input }, context) => createProduct(context, input),
    updateProduct: (_root, args, context) => changeProduct(context, args),
    archiveProduct: (_root, args, context) => archiveProduct(context, args),
  },
  Product: {
    archived: ({ archivedAt }) => archivedAt !== null,
    unitPrice: ({ unitPrice, currency }) => toMajorUnits(unitPrice, currency),
    thumbnailUrl: ({ id }, _args, { publicUrl }) => imageUrl(publicUrl, 'product', id),
  },
};
