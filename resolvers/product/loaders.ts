import DataLoader from 'dataloader';
import { findProducts } from '../../src/db/queries/products.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import { declareLoader, inOrderOfIds } from '../shared/loaders.ts';

export const productById = declareLoader<number, ProductRow>(
  ({ database, org }) =>
    new DataLoader(async (ids) => inOrderOfIds('product', ids, await findProducts(database, { org, ids }))),
);
