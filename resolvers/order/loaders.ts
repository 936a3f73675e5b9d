import { itemsOfOrders } from '../../src/db/queries/order-items.ts';
import { fewOrdersOfUsers } from '../../src/db/queries/order-lists.ts';
import { findOrders, findWholeOrders, type PartOfOrder } from '../../src/db/queries/orders.ts';
import type { ListedOrder } from '../../src/db/rows.ts';
import { declareIdLoader, declareListLoader, declarePartLoader } from '../shared/loaders.ts';

/** An order. Its items are loaded with it if the operation selects them. */
export type OrderNode = ListedOrder & { readonly itemRows?: readonly PartOfOrder[] };

/** The first or last orders of a person, by time of creation. */
interface OrdersOfUser {
  /** The person. */
  readonly parentId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
  /** Whether to load the items as well. */
  readonly whole: boolean;
}

/** Declares a loader of orders by id, with null for a deleted order. */
const declareOrderLoader = (read: typeof findOrders | typeof findWholeOrders) =>
  declareIdLoader<OrderNode | null>(async ({ database, org }, ids) => {
    const rows: readonly OrderNode[] = await read(database, { org, ids });
    const found = new Map(rows.map((row) => [row.id, row]));
    return (id) => found.get(id) ?? null;
  });

export const orderById = declareOrderLoader(findOrders);

/** Like {@link orderById}, with their items, so that the total is that of the items even while they are replaced. */
export const wholeOrderById = declareOrderLoader(findWholeOrders);

/**
 * The items of an order, in order. Load only orders that the caller is known to be allowed to see, and whose items no longer change: those of
 * a pending order must be read in the same statement as its total.
 */
export const itemsOfOrder = declareListLoader(
  ({ database, org }, orderIds) => itemsOfOrders(database, { org, orderIds }),
  ({ orderId }) => orderId,
);

/** One statement per end, size and `whole`. */
export const ordersOfUser = declarePartLoader(
  ({ end, size, whole }: OrdersOfUser) => `${end}:${size}:${whole}`,
  async ({ database, org }, userIds, { end, size, whole }): Promise<readonly ListedOrder[]> => {
    const rows = await fewOrdersOfUsers(database, { org, userIds, size }, { end, whole });
    return end === 'first' ? rows : rows.toReversed();
  },
  ({ userId }) => userId,
);
