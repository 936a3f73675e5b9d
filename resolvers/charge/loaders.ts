import DataLoader from 'dataloader';
import { amountsPaidForOrders, newestChargesOfOrders } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { declareLoader, inGroups } from '../shared/loaders.ts';

interface ChargesOfOrder {
  readonly orderId: number;
  readonly size: number;
}

/** The newest charges for an order, newest first. One statement for each size asked for. */
export const chargesOfOrder = declareLoader<ChargesOfOrder, readonly ChargeRow[], string>(
  ({ database, org }) => {
    const load = async (group: readonly ChargesOfOrder[], { size }: ChargesOfOrder) => {
      const orderIds = group.map(({ orderId }) => orderId);
      const rows = await newestChargesOfOrders(database, org, orderIds, size);
      const rowsOf = Map.groupBy(rows, (row) => row.orderId);
      return orderIds.map((id) => rowsOf.get(id) ?? []);
    };
    return new DataLoader((wanted) => inGroups(wanted, ({ size }) => String(size), load), {
      cacheKeyFn: ({ orderId, size }) => `${orderId}:${size}`,
    });
  },
);

/** Minor units that an order has been paid, and that were not refunded. */
export const paidForOrder = declareLoader<number, number>(
  ({ database, org }) =>
    new DataLoader(async (orderIds) => {
      const paid = await amountsPaidForOrders(database, org, orderIds);
      return orderIds.map((id) => paid.get(id) ?? 0);
    }),
);
