import { settleAll } from '../../core/promises.ts';
import type { Transaction } from '../database.ts';
import { isNotNull, isNull } from '../drizzle/index.ts';
import type { ProductRow } from '../rows.ts';
import { changeIn, insertIn } from './shared/changing.ts';
import { loadRows } from './shared/loading.ts';
import { amongIn, lookupIn, rowsIn } from './shared/owned.ts';
import { searchIn } from './shared/searching.ts';
import { addWords, replaceWords } from './shared/words.ts';

export type NewProduct = Parameters<typeof insert>[1];

/** The attributes of a new product. */
const GIVEN = ['name', 'unitPrice', 'currency'] as const;

/** The attributes of a product that can be changed. */
const CHANGEABLE = [...GIVEN, 'archivedAt'] as const;

/** The values of all of them after a change. */
type ProductChange = Pick<ProductRow, (typeof CHANGEABLE)[number]>;

/** The existing products among these ids in this organisation, in order of id. */
export const findProducts = amongIn('products');

/** The list and the search of products in one state. */
const listsOf = (state: 'active' | 'archived', isListed: typeof isNull) => ({
  after: rowsIn('products', 'after', {
    name: `products.${state}After`,
    only: ({ archivedAt }) => [isListed(archivedAt)],
  }),
  search: searchIn<{ readonly org: string }>(`products.search.${state}`, 'products', ({ tables }) =>
    isListed(tables.products.archivedAt),
  ),
});
export const activeProducts = listsOf('active', isNull);
export const archivedProducts = listsOf('archived', isNotNull);

const insert = insertIn('products', ['org', ...GIVEN], {
  at: ['createdAt', 'updatedAt'],
});

const update = changeIn('products.update', 'products', CHANGEABLE);

/** Archives a product. Undefined if it does not exist, is already archived, or has another version. */
export const archiveProduct = changeIn('products.archive', 'products', [], {
  at: ['archivedAt'],
  only: ({ archivedAt }) => [isNull(archivedAt)],
});

export const products = lookupIn('products');

/** Inserts a product. */
export async function insertProduct(tx: Transaction, product: NewProduct): Promise<ProductRow> {
  const row = await insert(tx, product);
  await addWords(tx, 'products', row);
  return row;
}

/** Inserts many products in one statement, which limits them to some 3,000. They are returned in no particular order. */
export async function insertProducts(
  tx: Transaction,
  products: readonly NewProduct[],
): Promise<readonly ProductRow[]> {
  const rows = await loadRows(
    tx,
    'products',
    products.map(({ now, ...product }) => ({ ...product, createdAt: now, updatedAt: now })),
  );
  await settleAll(rows.map((row) => addWords(tx, 'products', row)));
  return rows;
}

/** Changes a product that was read. Undefined if it has changed since. */
export async function updateProduct(
  tx: Transaction,
  { org, id, version, name }: ProductRow,
  change: ProductChange,
  now: Date,
): Promise<ProductRow | undefined> {
  const row = await update(tx, { ...change, org, id, versions: [version], now });
  if (row && row.name !== name) await replaceWords(tx, 'products', row);
  return row;
}
