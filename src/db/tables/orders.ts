import { LIMITS } from '../../core/limits.ts';
import { organisation, reference, tenantRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { literal, oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';
import type { Products } from './products.ts';

export const ORDER_STATUSES = ['pending', 'cancelled', 'shipped'] as const;

export type Orders = ReturnType<typeof define>;

export function define(v: Vocabulary, { organisations, users, products }: Accounts & Products) {
  const orders = v.table(
    'orders',
    {
      ...tenantRow(v, organisations),
      userId: reference(v, 'user_id', users),
      status: v.text('status', { enum: ORDER_STATUSES }).notNull(),
      total: v.integer('total').notNull(),
      currency: v.text('currency').notNull(),
      ...versioned(v),
      /** Deleted orders are kept for repeated DELETE requests and for the log. No other query returns them. */
      deletedAt: v.timestamp('deleted_at'),
    },
    (t) => {
      const present = sql`${t.deletedAt} is null`;
      const value = v.inMajorUnits(t.total, t.currency);
      return [
        ...v.tenantKey('orders_pkey', t),
        // One for each sort order, with and without a status, so that a page never scans rows which its filter excludes. SQLite
        // checks `deleted_at` although the index contains only rows where it is null; with the column in the index, it skips
        // rows without reading the table.
        v.index('orders_by_created_at').on(t.org, t.userId, t.createdAt, t.id, t.deletedAt).where(present),
        // PostgreSQL reads the order by total from an index alone only if the index also has the columns of the expression.
        v
          .index('orders_by_total')
          .on(t.org, t.userId, value, t.id, t.deletedAt, t.total, t.currency)
          .where(present),
        v.index('orders_by_id').on(t.org, t.userId, t.id, t.deletedAt).where(present),
        v
          .index('orders_by_status')
          .on(t.org, t.userId, t.status, t.createdAt, t.id, t.deletedAt)
          .where(present),
        v
          .index('orders_by_status_and_total')
          .on(t.org, t.userId, t.status, value, t.id, t.deletedAt, t.total, t.currency)
          .where(present),
        v.index('orders_by_status_and_id').on(t.org, t.userId, t.status, t.id, t.deletedAt).where(present),
        // The orders of an organisation. Each index has all columns that their list can be filtered by, to skip rows within the index.
        v
          .index('orders_of_org_by_created_at')
          .on(t.org, t.createdAt, t.id, t.status, t.currency, t.total, t.deletedAt)
          .where(present),
        v
          .index('orders_of_org_by_total')
          .on(t.org, value, t.id, t.status, t.currency, t.total, t.createdAt, t.deletedAt)
          .where(present),
        v
          .index('orders_of_org_by_status')
          .on(t.org, t.status, t.createdAt, t.id, t.currency, t.total, t.deletedAt)
          .where(present),
        v.check('orders_status_check', sql`${t.status} in ${oneOf(ORDER_STATUSES)}`),
        v.check('orders_total_check', sql`${t.total} >= 0`),
        v.check('orders_currency_check', sql`length(${t.currency}) = 3`),
      ];
    },
  );

  /** The number of orders of each person by status, without deleted ones: the totals of lists. */
  const orderCounts = v.table(
    'order_counts',
    {
      org: organisation(v, organisations),
      userId: reference(v, 'user_id', users),
      status: v.text('status', { enum: ORDER_STATUSES }).notNull(),
      orders: v.integer('orders').notNull(),
    },
    (t) => [
      v.primaryKey({ name: 'order_counts_pkey', columns: [t.org, t.userId, t.status] }),
      v.check('order_counts_status_check', sql`${t.status} in ${oneOf(ORDER_STATUSES)}`),
    ],
  );

  const orderItems = v.table(
    'order_items',
    {
      id: v.tenantId(),
      /** The organisation of the order. */
      org: v.text('org').notNull(),
      orderId: v.integer('order_id').notNull(),
      /** The index of the item in the order, from 0. */
      position: v.integer('position').notNull(),
      productId: v.integer('product_id').notNull(),
      /** Name and price when the order was placed. Later changes of the product do not affect them. */
      name: v.text('name').notNull(),
      unitPrice: v.integer('unit_price').notNull(),
      qty: v.integer('qty').notNull(),
    },
    (t) => [
      ...v.tenantKey('order_items_pkey', t),
      v.tenantReference({ columns: [t.orderId, t.org], foreignColumns: [orders.id, orders.org] }),
      v.tenantReference({ columns: [t.productId, t.org], foreignColumns: [products.id, products.org] }),
      v.index('order_items_by_order').on(t.orderId, t.position),
      v.index('order_items_by_product').on(t.productId, t.orderId, t.org),
      v.check('order_items_qty_check', sql`${t.qty} between 1 and ${literal(LIMITS.itemQuantity)}`),
      v.check('order_items_unit_price_check', sql`${t.unitPrice} between 0 and ${literal(LIMITS.unitPrice)}`),
    ],
  );

  return { orders, orderCounts, orderItems };
}
