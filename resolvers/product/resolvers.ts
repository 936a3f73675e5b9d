import { toMajorUnits } from '../../src/core/money.ts';
import { findProduct, orgOfProduct, productsAfter } from '../../src/db/queries/products.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { imageUrl } from '../shared/images.ts';
import { findOwn, type Lookup } from '../shared/lookup.ts';
import { pageById } from '../shared/paging.ts';

export type ProductNode = ProductRow;

const products: Lookup<ProductRow> = { find: findProduct, orgOf: orgOfProduct };

export const resolvers: Resolvers = {
  Query: {
    product: (_root, { id }, context) => findOwn(context, id, products),
    products: (_root, page, context) => {
      const { org } = callerOf(context);
      return pageById(context, ['products', org], page, (afterId, limit) =>
        productsAfter(context.database, org, afterId, limit),
      );
    },
  },
  Product: {
    unitPrice: ({ unitPrice, currency }) => toMajorUnits(unitPrice, currency),
    thumbnailUrl: ({ id }, _args, { publicUrl }) => imageUrl(publicUrl, 'product', id),
  },
};
