/** Imports products in bulk: all of them, or none. */
import { OPERATOR_ORIGIN } from '../auth/origins.ts';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { toMajorUnits } from '../core/money.ts';
import type { Database } from '../db/database.ts';
import { insertProducts, type NewProduct } from '../db/queries/products.ts';
import { loadRows } from '../db/queries/shared/loading.ts';
import { columnsOf } from '../events/record.ts';

/** A valid product. */
export type ReadProduct = Pick<NewProduct, 'name' | 'unitPrice' | 'currency'>;

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
