import { findProduct, orgOfProduct, productsAfter } from '../src/db/queries/products.ts';
import type { ProductRow } from '../src/db/rows.ts';
import type { Resolvers } from '../src/generated/resolvers.ts';
import { toMajorUnits } from '../src/money.ts';
import { callerOf } from './support/caller.ts';
import { imageUrl } from './support/images.ts';
import { pageSize } from './support/lists.ts';
import { findOwn, type Lookup } from './support/lookup.ts';

const products: Lookup<ProductRow> = { find: findProduct, orgOf: orgOfProduct };

export const product: Resolvers = {
  Query: {
    product: (_root, { id }, context) => findOwn(context, id, products),
    products: async (_root, { first, after }, context) => {
      const { org } = callerOf(context);
      const list = ['products', org];
      const [afterId] = after ? context.cursors.open(list, after) : [0];
      const size = pageSize(first);
      const rows = await productsAfter(context.database, org, Number(afterId), size + 1);
      const nodes = rows.slice(0, size);
      const hasNextPage = rows.length > size;
      const last = nodes.at(-1);
      const endCursor = last ? context.cursors.seal(list, [last.id]) : null;
      return { nodes, endCursor, hasNextPage, nextCursor: hasNextPage ? endCursor : null };
    },
  },
  Product: {
    unitPrice: ({ unitPrice, currency }) => toMajorUnits(unitPrice, currency),
    thumbnailUrl: ({ id }, _args, { publicUrl }) => imageUrl(publicUrl, 'product', id),
  },
};
