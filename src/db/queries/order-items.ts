import { LIMITS } from '../../core/limits.ts';
import { type Runner, statement, statementPerSize, type Transaction } from '../database.ts';
import { asc, eq, sql } from '../drizzle/index.ts';
import type { OrderItemRow } from '../rows.ts';

/** An item before it belongs to an order; its place in the list becomes its `position`. */
export type NewOrderItem = Pick<OrderItemRow, 'productId' | 'name' | 'unitPrice' | 'qty'>;

const ofOrders = statement<{ orderIds: readonly number[] }, readonly OrderItemRow[]>(
  'orderItems.ofOrders',
  ({ orm, tables: { orderItems }, dialect }, p) =>
    orm
      .select()
      .from(orderItems)
      .where(dialect.anyOf(orderItems.orderId, p.orderIds))
      .orderBy(asc(orderItems.orderId), asc(orderItems.position)),
);

const remove = statement<{ orderId: number }, unknown>(
  'orderItems.remove',
  ({ orm, tables: { orderItems } }, p) => orm.delete(orderItems).where(eq(orderItems.orderId, p.orderId)),
);

/** Parameters: `orderId`, and for each item `productId0`, `name0`, `unitPrice0`, `qty0`, and so on. */
const insert = statementPerSize<Record<string, unknown>, readonly OrderItemRow[]>(
  'orderItems.insert',
  ({ orm, tables: { orderItems } }, size) =>
    orm
      .insert(orderItems)
      .values(
        Array.from({ length: size }, (_, position) => ({
          orderId: sql.placeholder('orderId'),
          position,
          productId: sql.placeholder(`productId${position}`),
          name: sql.placeholder(`name${position}`),
          unitPrice: sql.placeholder(`unitPrice${position}`),
          qty: sql.placeholder(`qty${position}`),
        })),
      )
      .returning(),
);

/**
 * The items of all these orders, in order of order and position. A caller who may see an order may see its items, so
 * the ids come from orders that a query with the caller's organisation has found.
 */
export function itemsOfOrders(db: Runner, orderIds: readonly number[]): Promise<readonly OrderItemRow[]> {
  return db.run(ofOrders, { orderIds });
}

/** Writes all items of an order in one statement, in the order of the list. At least 1, at most `LIMITS.orderItems`. */
export async function insertOrderItems(
  tx: Transaction,
  orderId: number,
  items: readonly NewOrderItem[],
): Promise<readonly OrderItemRow[]> {
  if (items.length < 1 || items.length > LIMITS.orderItems) {
    throw new RangeError(`An order has 1 to ${LIMITS.orderItems} items, not ${items.length}.`);
  }
  const params: Record<string, unknown> = { orderId };
  for (const [position, item] of items.entries()) {
    params[`productId${position}`] = item.productId;
    params[`name${position}`] = item.name;
    params[`unitPrice${position}`] = item.unitPrice;
    params[`qty${position}`] = item.qty;
  }
  const rows = await tx.run(insert(items.length), params);
  // Neither engine promises an order for `returning`.
  return rows.toSorted((a, b) => a.position - b.position);
}

export async function removeOrderItems(tx: Transaction, orderId: number): Promise<void> {
  await tx.run(remove, { orderId });
}
