import { findProducts } from '../../src/db/queries/products.ts';
import { declareRowLoader } from '../shared/loaders.ts';

export const productById = declareRowLoader('product', ({ database, org }, ids) =>
  findProducts(database, { org, ids }),
);
