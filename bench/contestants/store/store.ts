/** The queries of the servers that are compared with Portico. SQLite returns results synchronously, PostgreSQL as promises. */

export type Awaitable<T> = T | Promise<T>;

/** Milliseconds since the epoch on SQLite, a date on PostgreSQL. */
export type Timestamp = number | Date;

/** Rows are arrays, which both drivers create faster than objects. */
export type OrderRow = [
  id: number,
  userId: number,
  status: string,
  total: number,
  currency: string,
  version: number,
  createdAt: Timestamp,
  updatedAt: Timestamp,
];

export type ItemRow = [
  id: number,
  orderId: number,
  productId: number,
  name: string,
  qty: number,
  unitPrice: number,
];

export interface OrderRows {
  readonly order: OrderRow;
  readonly items: readonly ItemRow[];
}

/** The values of `sort`, and their SQL. */
export const SORTS = {
  id: 'id asc',
  '-id': 'id desc',
  created_at: 'created_at asc, id asc',
  '-created_at': 'created_at desc, id desc',
  total: 'total asc, id asc',
  '-total': 'total desc, id desc',
} as const;

export type Sort = keyof typeof SORTS;

export interface PageQuery {
  readonly org: string;
  readonly userId: number;
  readonly status: string | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

export interface NewOrder {
  readonly org: string;
  readonly userId: number;
  readonly actorId: number;
  readonly lines: readonly { readonly product_id: number; readonly qty: number }[];
}

/** Why an order was not placed. */
export type Refusal = 'unknown_user' | 'unknown_product' | 'mixed_currencies';

export interface Store {
  /** Returns an order with its items, in the number of statements that is fastest on the engine. */
  order(org: string, id: number): Awaitable<OrderRows | undefined>;
  page(query: PageQuery): Awaitable<{ readonly orders: readonly OrderRows[]; readonly total: number }>;
  /** Returns a user with their newest orders, the oldest of these first. */
  person(
    org: string,
    id: number,
    orders: number,
  ): Awaitable<{ readonly name: string; readonly orders: readonly OrderRows[] } | undefined>;
  /** Writes an order, its items and its event in one transaction, which is durable when this resolves. */
  place(order: NewOrder): Awaitable<OrderRows | Refusal>;

  /** The methods up to `newestOrders` are for servers with resolvers and loaders. */
  orderAlone(org: string, id: number): Awaitable<OrderRow | undefined>;
  itemsOf(orderIds: readonly number[]): Awaitable<readonly ItemRow[]>;
  nameOf(org: string, userId: number): Awaitable<string | undefined>;
  newestOrders(org: string, userId: number, count: number): Awaitable<readonly OrderRow[]>;

  orgOfOrder(id: number): Awaitable<string | undefined>;
  orgOfUser(id: number): Awaitable<string | undefined>;
  close(): Awaitable<unknown>;
}

/** The values of a product that are copied into an order. */
export type ProductRow = [id: number, name: string, unitPrice: number, currency: string];

/** A valid order with its total. */
export interface PricedOrder extends NewOrder {
  readonly products: readonly ProductRow[];
  readonly total: number;
  readonly currency: string;
}

/** Matches the lines with the products that were found, and adds up the total. */
export function priced(order: NewOrder, found: readonly ProductRow[]): PricedOrder | Refusal {
  const products: ProductRow[] = [];
  let total = 0;
  for (const { product_id, qty } of order.lines) {
    const product = found.find(([id]) => id === product_id);
    if (!product) return 'unknown_product';
    if (product[3] !== found[0]?.[3]) return 'mixed_currencies';
    products.push(product);
    total += product[2] * qty;
  }
  return { ...order, products, total, currency: products[0]?.[3] ?? '' };
}

/** Adds the items to their orders. Both lists may be in any order. */
export function withItems(orders: readonly OrderRow[], items: readonly ItemRow[]): OrderRows[] {
  const itemsOf = new Map<number, ItemRow[]>(orders.map(([id]) => [id, []]));
  for (const item of items) itemsOf.get(item[1])?.push(item);
  return orders.map((order) => ({ order, items: itemsOf.get(order[0]) ?? [] }));
}
