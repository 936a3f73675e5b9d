/** Orders together with their items, as one statement: on PostgreSQL each statement more is a round trip. */
import { eq, getTableColumns } from '../drizzle/index.ts';
import type { OrderItemRow, OrderRow } from '../rows.ts';
import type { Tables } from '../tables.ts';

/** An order with its items, in their order. */
export type WholeOrder = OrderRow & { readonly itemRows: readonly OrderItemRow[] };

type Joined<Item> = { readonly [Name in Exclude<keyof Item, 'id' | 'orderId'>]: Item[Name] | null };

/** A row of the join: one for each item, and one without an item for an order that has none. */
export type OrderWithItem = OrderRow & { readonly itemId: number | null } & Joined<OrderItemRow>;

/** What a statement selects of orders and, joined to them on the left by {@link itemsOf}, of their items. */
export function wholeColumns({ orders, orderItems }: Tables) {
  const { id: itemId, orderId: _, ...item } = getTableColumns(orderItems);
  return { ...getTableColumns(orders), itemId, ...item };
}

/** Whose items they are. */
export const itemsOf = ({ orders, orderItems }: Tables) => eq(orderItems.orderId, orders.id);

/** @param rows those of an order one after the other, in the order of its items. */
export function wholeOrders(rows: readonly OrderWithItem[]): WholeOrder[] {
  const whole: WholeOrder[] = [];
  let id: number | undefined;
  let items: OrderItemRow[] = [];
  for (const { itemId, position, productId, name, unitPrice, qty, ...order } of rows) {
    if (order.id !== id) {
      id = order.id;
      items = [];
      whole.push({ ...order, itemRows: items });
    }
    // All of them are there, or none.
    if (itemId !== null) {
      items.push({ id: itemId, orderId: id, position, productId, name, unitPrice, qty } as OrderItemRow);
    }
  }
  return whole;
}
