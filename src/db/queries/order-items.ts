import { LIMITS } from '../../core/limits.ts';
import type { Transaction } from '../database.ts';
import { and, asc, getTableColumns, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { OrderItemRow } from '../rows.ts';
import { equal } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** An item to be inserted. Its index in the list becomes its `position`. */
export type NewOrderItem = Pick<OrderItemRow, 'productId' | 'name' | 'unitPrice' | 'qty'>;

function shown(orderItems: Tables['orderItems']) {
  const { org: _, ...columns } = getTableColumns(orderItems);
  return columns;
}

/** The items of all these orders, sorted by order and position. A caller who may see an order may see its items. */
export const itemsOfOrders = read.all<{ org: string; orderIds: readonly number[] }, OrderItemRow>(
  'orderItems.ofOrders',
  ({ orm, tables: { orderItems }, dialect }, p) =>
    orm
      .select(shown(orderItems))
      .from(orderItems)
      .where(
        and(dialect.anyOf(orderItems.orderId, p.orderIds), dialect.ofOrganisation(orderItems.org, p.org)),
      )
      .orderBy(asc(orderItems.orderId), asc(orderItems.position)),
);

export const removeOrderItems = write.run<{ org: string; orderId: number }>(
  'orderItems.remove',
  ({ orm, tables: { orderItems } }, p) =>
    orm.delete(orderItems).where(equal(orderItems, p, 'orderId', 'org')),
);

const insert = write.many<NewOrderItem, readonly OrderItemRow[]>(
  'orderItems.insert',
  ['productId', 'name', 'unitPrice', 'qty'],
  ({ orm, tables: { orderItems } }, items) =>
    orm
      .insert(orderItems)
      .values(
        items.map((item, position) => ({
          ...item,
          org: sql.placeholder('org'),
          orderId: sql.placeholder('orderId'),
          position,
        })),
      )
      .returning(shown(orderItems)),
);

/** Inserts all items of an order in one statement, in the order of the list. At least 1, at most `LIMITS.orderItems`. */
export async function insertOrderItems(
  tx: Transaction,
  org: string,
  orderId: number,
  items: readonly NewOrderItem[],
): Promise<readonly OrderItemRow[]> {
  if (items.length < 1 || items.length > LIMITS.orderItems) {
    throw new RangeError(`An order has 1 to ${LIMITS.orderItems} items, not ${items.length}.`);
  }
  const rows = await insert(tx, items, { org, orderId });
  // Neither engine guarantees an order for `returning`.
  return rows.toSorted((a, b) => a.position - b.position);
}
