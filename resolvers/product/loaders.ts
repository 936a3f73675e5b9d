import { findProduct, findProducts, orgOfProduct } from '../../src/db/queries/products.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import { declareRowLoader } from '../shared/loaders.ts';
import type { Lookup } from '../shared/lookup.ts';

export const products: Lookup<ProductRow> = { find: findProduct, orgOf: orgOfProduct };

export const productById = declareRowLoader('product', ({ database, org }, ids) =>
  findProducts(database, { org, ids }),
);
