/** Orders together with their items, as one statement: on PostgreSQL each statement more is a round trip. */
import { type Runner, statement } from '../database.ts';
import { and, eq, getTableColumns, isNull, sql } from '../drizzle/index.ts';
import type { OrderItemRow, OrderRow } from '../rows.ts';
import type { Builder } from '../statement.ts';

/** An order with its items, in their order. */
export type WholeOrder = OrderRow & { readonly itemRows: readonly OrderItemRow[] };

/**
 * What a statement on orders selects. The items come as one value: of a page of 20 orders with three items each SQLite reads
 * that in 60 us, and joined rows, which repeat their order, in 100.
 */
export function wholeColumns({ tables: { orders, orderItems: items }, dialect }: Builder) {
  const columns = [
    items.id,
    items.orderId,
    items.position,
    items.productId,
    items.name,
    items.unitPrice,
    items.qty,
  ];
  const ofOrder = and(eq(items.orderId, orders.id), dialect.sameOrganisation(items.org, orders.org));
  const rows = dialect.rowsAsJson(columns, items, sql`${ofOrder}`);
  return { ...getTableColumns(orders), itemRows: rows.mapWith(readItems) };
}

/** Neither engine promises an order for what it puts together. */
function readItems(text: string): OrderItemRow[] {
  // The values of the columns above, of which none is stored in another way than it is read.
  const rows = JSON.parse(text) as [number, number, number, number, string, number, number][];
  return rows
    .map(([id, orderId, position, productId, name, unitPrice, qty]) => ({
      id,
      orderId,
      position,
      productId,
      name,
      unitPrice,
      qty,
    }))
    .toSorted((a, b) => a.position - b.position);
}

const byIds = statement<{ org: string; ids: readonly number[] }, readonly WholeOrder[]>(
  'orders.wholeByIds',
  (builder, p) => {
    const { orders } = builder.tables;
    return builder.orm
      .select(wholeColumns(builder))
      .from(orders)
      .where(
        and(
          builder.dialect.anyOf(orders.id, p.ids),
          builder.dialect.ofOrganisation(orders.org, p.org),
          isNull(orders.deletedAt),
        ),
      );
  },
);

/** Those of the orders that are there, in this organisation, with their items and in no particular order. */
export function findWholeOrders(
  db: Runner,
  org: string,
  ids: readonly number[],
): Promise<readonly WholeOrder[]> {
  return db.run(byIds, { org, ids });
}
