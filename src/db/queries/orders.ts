import type { Transaction } from '../database.ts';
import { and, eq, getTableColumns, isNull, sql } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { ListedOrder, OrderItemRow, OrderRow, ProductRow } from '../rows.ts';
import { type Builder, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertOrderItems, type NewOrderItem, removeOrderItems } from './order-items.ts';
import { changeIn, insertIn } from './shared/changing.ts';
import { type Among, amongIn, findById, isAmong, isRow, type Lookup, lookupIn } from './shared/owned.ts';

/** An item that was read with its order. */
export type PartOfOrder = Omit<OrderItemRow, 'orderId'>;

/** An order with its items, sorted by position. */
export type WholeOrder = ListedOrder & { readonly itemRows: readonly PartOfOrder[] };

/** The columns of a statement that selects orders of one organisation. Each column takes time for each row of a page. */
export function listedColumns(orders: Tables['orders']) {
  const { org: _, deletedAt: __, ...columns } = getTableColumns(orders);
  return columns;
}

/**
 * The columns of a statement that selects orders with their items. The items are one value: SQLite reads a page of 20 orders with
 * three items each in 60 us this way, and in 100 us as joined rows, which repeat their order.
 */
export function wholeColumns(builder: Builder) {
  const { tables, dialect } = builder;
  const { orders, orderItems: items } = tables;
  const columns = [items.id, items.position, items.productId, items.name, items.unitPrice, items.qty];
  const ofOrder = and(eq(items.orderId, orders.id), dialect.sameOrganisation(items.org, orders.org));
  const rows = dialect.rowsAsJson(columns, items, sql`${ofOrder}`);
  return { ...listedColumns(orders), itemRows: rows.mapWith(readItems) };
}

/**
 * Parses and sorts the items of an order. Neither engine guarantees an order within a JSON aggregate; both usually return the order of
 * the index, and checking that takes a tenth of the time of sorting.
 */
function readItems(text: string): PartOfOrder[] {
  // The values of the columns above, all of which are stored in the form in which they are read.
  const rows = JSON.parse(text) as [number, number, number, string, number, number][];
  const items = rows.map(([id, position, productId, name, unitPrice, qty]) => ({
    id,
    position,
    productId,
    name,
    unitPrice,
    qty,
  }));
  const isSorted = items.every(({ position }, index) => position >= (items[index - 1]?.position ?? position));
  return isSorted ? items : items.sort((a, b) => a.position - b.position);
}

/** Orders that were not deleted. */
const isPresent = ({ deletedAt }: Tables['orders']) => [isNull(deletedAt)];

/** The existing orders among these ids in this organisation, with their items, in no particular order. */
export const findWholeOrders = read.all<Among, WholeOrder>('orders.wholeByIds', (builder, p) => {
  const { orders } = builder.tables;
  return builder.orm
    .select(wholeColumns(builder))
    .from(orders)
    .where(isAmong(orders, p, builder.dialect, ...isPresent(orders)));
});

/** The existing orders among these ids in this organisation, in order of id. */
export const findOrders = amongIn('orders', { columns: listedColumns, only: isPresent });

/** The organisation of an order that the caller cannot find: to distinguish 403, "deleted" and 404. */
export const ownerOfOrder = read.first<{ id: number }, Pick<OrderRow, 'org' | 'deletedAt'>>(
  'orders.ownerOf',
  ({ orm, tables: { orders } }, p) =>
    orm.select({ org: orders.org, deletedAt: orders.deletedAt }).from(orders).where(eq(orders.id, p.id)),
);

/** The person that an order is placed for, and its products. */
interface Placing {
  readonly org: string;
  readonly userId: number;
  readonly productIds: readonly number[];
}

interface BeforePlacing {
  /** The products that exist in this organisation. */
  readonly products: readonly ProductRow[];
  /** Null if the person is not a member of this organisation. */
  readonly personId: number | null;
  /** The id that the order will have. */
  readonly orderId: number;
}

/** A row of the left join: a product, or null in each of its columns, and the values that are the same in all rows. */
type PlacingRow = { readonly [Name in keyof ProductRow]: ProductRow[Name] | null } & Omit<
  BeforePlacing,
  'products'
>;

const isProduct = (row: PlacingRow): row is PlacingRow & ProductRow => row.id !== null;

const beforePlacing = statement<Placing, readonly PlacingRow[]>(
  'orders.beforePlacing',
  ({ orm, tables: { orders, products, users }, dialect }, p) =>
    orm
      .select({
        ...getTableColumns(products),
        // Uncorrelated subqueries run once, and not for each product.
        personId: sql<number | null>`(select ${users.id} from ${users}
          where ${users.id} = ${p.userId} and ${users.org} = ${p.org} and ${users.removedAt} is null)`.mapWith(
          users.id,
        ),
        orderId: sql<number>`(select ${dialect.nextId(orders.id)})`.mapWith(orders.id),
      })
      .from(sql`(select 1) as one`)
      .leftJoin(
        products,
        and(dialect.anyOf(products.id, p.productIds), dialect.ofOrganisation(products.org, p.org)),
      ),
);

/** Inserts a pending order, with the id from {@link findBeforePlacing}. Its items and its event must be written in the same transaction. */
export const insertOrder = insertIn('orders', ['id', 'org', 'userId', 'total', 'currency'], {
  at: ['createdAt', 'updatedAt'],
  fixed: { status: 'pending' },
});

/**
 * Changes the status of a pending order. Undefined if the order does not exist, is no longer pending, or has another version. Of
 * several concurrent changes, only one gets the row.
 */
export const transitionOrder = changeIn('orders.transition', 'orders', ['status'], { only: isPending });

const reprice = changeIn('orders.reprice', 'orders', ['total', 'currency'], { only: isPending });

function isPending({ deletedAt, status }: Tables['orders']) {
  return [isNull(deletedAt), eq(status, 'pending')];
}

/**
 * Deletes an order, whatever its status, and returns its row. Undefined if the order does not exist, was already deleted, or has
 * another version.
 */
export const deleteOrder = changeIn('orders.remove', 'orders', [], {
  at: ['deletedAt'],
  only: isPresent,
});

/** Orders that were not deleted. */
export const orders: Lookup<ListedOrder> = lookupIn('orders', { only: isPresent });

/** Orders that were not deleted, with their items. */
export const wholeOrders: Lookup<WholeOrder> = {
  ...orders,
  find: findById('orders.wholeById', (builder, p) => {
    const table = builder.tables.orders;
    return builder.orm
      .select(wholeColumns(builder))
      .from(table)
      .where(isRow(table, p, ...isPresent(table)));
  }),
};

/** Reads everything that placing an order needs, in one statement. */
export async function findBeforePlacing(tx: Transaction, placing: Placing): Promise<BeforePlacing> {
  const rows = await tx.run(beforePlacing, placing);
  const [first] = rows;
  if (!first) throw new Error('The left join returned no row.');
  const { personId, orderId } = first;
  return { products: rows.filter(isProduct), personId, orderId };
}

/** Replaces items and total of a pending order. Undefined for the same reasons as `transitionOrder`; then nothing is written. */
export async function replaceOrderItems(
  tx: Transaction,
  change: Parameters<typeof reprice>[1],
  items: readonly NewOrderItem[],
): Promise<{ order: OrderRow; items: readonly OrderItemRow[] } | undefined> {
  const order = await reprice(tx, change);
  if (!order) return undefined;
  const { org, id } = order;
  await removeOrderItems(tx, { org, orderId: id });
  return { order, items: await insertOrderItems(tx, org, id, items) };
}
