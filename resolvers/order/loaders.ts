import DataLoader from 'dataloader';
import { itemsOfOrders } from '../../src/db/queries/order-items.ts';
import { fewOrdersOfUsers } from '../../src/db/queries/order-lists.ts';
import { findOrders } from '../../src/db/queries/orders.ts';
import type { OrderItemRow, OrderRow } from '../../src/db/rows.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';

/** The first or last orders of a person, by time of creation. */
interface OrdersOfUser {
  readonly userId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
  /** Whether to load the items as well. */
  readonly whole: boolean;
}

/** Orders by id; null for a deleted order. */
export const orderById = declareLoader<number, OrderRow | null>(
  ({ database, org }) =>
    new DataLoader(async (ids) => {
      const found = new Map((await findOrders(database, org, ids)).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
    }),
);

/** The items of an order, in order. Load only orders that the caller is known to be allowed to see. */
export const itemsOfOrder = declareLoader<number, readonly OrderItemRow[]>(
  ({ database, org }) =>
    new DataLoader(async (ids) => {
      const items = Map.groupBy(await itemsOfOrders(database, org, ids), (item) => item.orderId);
      return ids.map((id) => items.get(id) ?? []);
    }),
);

const kindOf = ({ end, size, whole }: OrdersOfUser) => `${end}:${size}:${whole}`;

/** The first or last orders of a person, by time of creation. One statement per end, size and `whole`. */
export const ordersOfUser = declareLoader<OrdersOfUser, readonly OrderRow[], string>(({ database, org }) => {
  const load = async (group: readonly OrdersOfUser[], { end, size, whole }: OrdersOfUser) => {
    const userIds = group.map(({ userId }) => userId);
    const which = end === 'first' ? 'oldest' : 'newest';
    const rows = await fewOrdersOfUsers(database, org, userIds, which, size, whole);
    const rowsOf = Map.groupBy(rows, (row) => row.userId);
    return userIds.map((id) => {
      const found = rowsOf.get(id) ?? [];
      return end === 'first' ? found : found.toReversed();
    });
  };
  return new DataLoader((wanted) => inGroups(wanted, kindOf, load), {
    cacheKeyFn: (wanted) => `${wanted.userId}:${kindOf(wanted)}`,
  });
});
