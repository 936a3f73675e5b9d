import type { OrderItemRow, OrderRow } from '../../src/db/rows.ts';
import type { Item } from '../../src/generated/resolvers.ts';

/** An order on its way through the graph. Its items are there already when the operation was seen to select them. */
export type OrderNode = OrderRow & { readonly itemRows?: readonly OrderItemRow[] };

/** A line of an order, with every field but the product ready to be read. */
export type ItemNode = Omit<Item, 'product' | 'productId'> & { readonly productId: number };
