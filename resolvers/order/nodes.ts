import type { PartOfOrder } from '../../src/db/queries/whole-orders.ts';
import type { ListedOrder } from '../../src/db/rows.ts';
import type { Item } from '../../src/generated/resolvers.ts';

/** An order. Its items are loaded with it if the operation selects them. */
export type OrderNode = ListedOrder & { readonly itemRows?: readonly PartOfOrder[] };

/** An item of an order, with all fields except the product already computed. */
export type ItemNode = Omit<Item, 'product' | 'productId'> & { readonly productId: number };
