import DataLoader from 'dataloader';
import type { Database } from '../../src/db/database.ts';
import { amountsPaidForOrders, newestChargesOfOrders } from '../../src/db/queries/charges.ts';
import type { ChargeRow } from '../../src/db/rows.ts';

/** The newest charges for an order. */
interface ChargesOfOrder {
  readonly orderId: number;
  readonly size: number;
}

/** What was charged for orders, fetched with one statement for many. It sees one organisation only. */
export class ChargeLoaders {
  readonly #database: Database;
  readonly #org: string;
  #ofOrder: DataLoader<ChargesOfOrder, readonly ChargeRow[], string> | undefined;
  #paidForOrder: DataLoader<number, number> | undefined;

  constructor(database: Database, org: string) {
    this.#database = database;
    this.#org = org;
  }

  /** The newest charges for an order, newest first. One statement for each size asked for. */
  get ofOrder(): DataLoader<ChargesOfOrder, readonly ChargeRow[], string> {
    this.#ofOrder ??= new DataLoader((wanted) => this.#charges(wanted), {
      cacheKeyFn: ({ orderId, size }) => `${orderId}:${size}`,
    });
    return this.#ofOrder;
  }

  /** Minor units that an order has been paid, and that were not refunded. */
  get paidForOrder(): DataLoader<number, number> {
    this.#paidForOrder ??= new DataLoader(async (orderIds) => {
      const paid = await amountsPaidForOrders(this.#database, this.#org, orderIds);
      return orderIds.map((id) => paid.get(id) ?? 0);
    });
    return this.#paidForOrder;
  }

  async #charges(wanted: readonly ChargesOfOrder[]): Promise<(readonly ChargeRow[])[]> {
    const found = new Map<ChargesOfOrder, readonly ChargeRow[]>();
    const ofSize = async (size: number, group: readonly ChargesOfOrder[]) => {
      const orderIds = group.map(({ orderId }) => orderId);
      const rows = await newestChargesOfOrders(this.#database, this.#org, orderIds, size);
      const rowsOf = Map.groupBy(rows, (row) => row.orderId);
      for (const one of group) found.set(one, rowsOf.get(one.orderId) ?? []);
    };
    const groups = Map.groupBy(wanted, ({ size }) => size);
    await Promise.all(groups.entries().map(([size, group]) => ofSize(size, group)));
    return wanted.map((one) => found.get(one) ?? []);
  }
}
