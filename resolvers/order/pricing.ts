import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import { isWithdrawn } from '../../src/core/money.ts';
import type { NewOrderItem } from '../../src/db/queries/order-items.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import type { OrderItemInput } from '../../src/generated/resolvers.ts';
import { NO_ROW, parseId } from '../shared/lookup.ts';

/** The path of the lines in the arguments, for error details. */
const PATH = 'input.items';

/** The items of an order at current prices. Amounts are minor units of its currency. */
interface PricedItems {
  readonly items: readonly NewOrderItem[];
  readonly total: number;
  readonly currency: string;
}

/** Returns the distinct product ids of the lines. Invalid ids are omitted; {@link priceItems} reports them. */
export function productIdsOf(lines: readonly OrderItemInput[]): readonly number[] {
  const ids = new Set(lines.map(({ productId }) => parseId(productId)));
  return [...ids].filter((id) => id !== undefined);
}

/**
 * Prices the lines of an order.
 *
 * @param products the products of the caller's organisation among `productIdsOf(lines)`.
 * @throws ApiError `empty_order` without lines; `validation_failed` with each line whose product is unknown, archived, or sold in a withdrawn currency or another one
 *   than that of the first line.
 */
export function priceItems(lines: readonly OrderItemInput[], products: readonly ProductRow[]): PricedItems {
  if (lines.length === 0) {
    const details = [{ path: PATH, message: 'must have at least one element' }];
    throw new ApiError('empty_order', { details });
  }
  const productById = new Map(products.map((product) => [product.id, product]));
  const details: ErrorDetail[] = [];
  const items: NewOrderItem[] = [];
  let total = 0;
  let currency: string | undefined;
  for (const [index, line] of lines.entries()) {
    const product = productById.get(parseId(line.productId) ?? NO_ROW);
    const at = `${PATH}.${index}.productId`;
    if (!product) {
      details.push({ path: at, message: 'is not a product of your organisation' });
      continue;
    }
    if (product.archivedAt !== null) {
      details.push({ path: at, message: 'is archived and can no longer be ordered' });
      continue;
    }
    if (isWithdrawn(product.currency)) {
      const message = `is sold in ${product.currency}, which was withdrawn from ISO 4217`;
      details.push({ path: at, message });
      continue;
    }
    currency ??= product.currency;
    if (product.currency !== currency) {
      details.push({ path: at, message: `is sold in ${product.currency}, but the order is in ${currency}` });
    }
    items.push({ productId: product.id, name: product.name, unitPrice: product.unitPrice, qty: line.qty });
    total += product.unitPrice * line.qty;
  }
  if (details.length > 0 || currency === undefined) {
    throw new ApiError('validation_failed', { message: 'Some items cannot be ordered.', details });
  }
  return { items, total, currency };
}
