/** Imports products in bulk: all of them, or none. */

import { OPERATOR_ORIGIN } from '../auth/origins.ts';
import type { Clock } from '../core/clock.ts';
import { parseDecimal } from '../core/decimal.ts';
import type { ErrorDetail } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { toMajorUnits } from '../core/money.ts';
import { readUnitPrice } from '../core/unit-price.ts';
import type { Database } from '../db/database.ts';
import { loadRows } from '../db/queries/loading.ts';
import { insertProducts, type NewProduct } from '../db/queries/products.ts';
import { columnsOf } from '../events/record.ts';

/** A product as text, with the member names of `CreateProductInput`. */
export type ProductText = Readonly<Record<'name' | 'unitPrice' | 'currency', string>>;

/** A valid product. */
export type ReadProduct = Pick<NewProduct, 'name' | 'unitPrice' | 'currency'>;

/**
 * Reads a product by the rules of `CreateProductInput`.
 *
 * @param check checks the constraints of the input type.
 * @returns the product, or all its problems.
 */
export function readProduct(
  product: ProductText,
  check: (product: ProductText) => readonly ErrorDetail[],
): ReadProduct | readonly ErrorDetail[] {
  const details = [...check(product)];
  const price = parseDecimal(product.unitPrice)
    ? readUnitPrice(product.unitPrice, product.currency)
    : { path: 'unitPrice', message: 'must be a number, such as 19.99' };
  if (typeof price !== 'number') details.push(price);
  else if (details.length === 0) {
    return { name: product.name, unitPrice: price, currency: product.currency };
  }
  return details;
}

/**
 * Writes products, each with its event, in one transaction: all of them or none.
 *
 * @param onProgress called with the number of products written so far.
 */
export async function importProducts(
  { database, clock, org }: { readonly database: Database; readonly clock: Clock; readonly org: string },
  products: readonly ReadProduct[],
  onProgress: (written: number) => void,
): Promise<void> {
  await database.transaction(async (tx) => {
    const now = clock();
    for (let start = 0; start < products.length; start += LIMITS.importChunk) {
      const chunk = products.slice(start, start + LIMITS.importChunk);
      const rows = await insertProducts(
        tx,
        chunk.map((product) => ({ ...product, org, now })),
      );
      const events = rows
        .toSorted((a, b) => a.id - b.id)
        .map((row) => ({
          ...columnsOf({ type: 'product.created', org, subjectId: row.id, data: dataOf(row) }, clock),
          // An operator is not a member of the organisation.
          actorId: null,
          ...ORIGIN,
        }));
      await loadRows(tx, 'events', events);
      onProgress(start + chunk.length);
    }
    tx.notifyLogGrowth(org, 'product.created');
  });
}

const { callerOrg: _, ...ORIGIN } = OPERATOR_ORIGIN;

const dataOf = ({ name, unitPrice, currency }: ReadProduct) => ({
  name,
  unit_price: toMajorUnits(unitPrice, currency),
  currency,
});
