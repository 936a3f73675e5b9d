/** Counts of orders by person and status. Changes maintain them, so that lists need not count. */
import type { Runner, Transaction } from '../database.ts';
import { sql, sum } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { OrderStatus } from '../rows.ts';
import { equal, statement } from '../statement.ts';

/** A change of one count; `by` is negative if there are fewer orders. */
interface CountChange {
  readonly org: string;
  readonly userId: number;
  readonly status: OrderStatus;
  readonly by: number;
}

interface ListParams {
  readonly org: string;
  readonly userId: number;
}

type Counted = readonly { readonly orders: number | null }[];

const all = statement<ListParams, Counted>('orderCounts.all', ({ orm, tables: { orderCounts } }, p) =>
  orm
    .select({ orders: sum(orderCounts.orders).mapWith(Number) })
    .from(orderCounts)
    .where(equal(orderCounts, p, 'org', 'userId')),
);

const withStatus = statement<ListParams & { status: OrderStatus }, Counted>(
  'orderCounts.withStatus',
  ({ orm, tables: { orderCounts } }, p) =>
    orm
      .select({ orders: orderCounts.orders })
      .from(orderCounts)
      .where(equal(orderCounts, p, 'org', 'userId', 'status')),
);

const change = write.many<ListParams & { status: OrderStatus; orders: number }>(
  'orderCounts.change',
  ['org', 'userId', 'status', 'orders'],
  ({ orm, tables: { orderCounts } }, rows) =>
    orm
      .insert(orderCounts)
      .values(rows)
      .onConflictDoUpdate({
        target: [orderCounts.org, orderCounts.userId, orderCounts.status],
        set: { orders: sql`${orderCounts.orders} + excluded.orders` },
      }),
);

/** The number of orders of a person in this organisation, with one status or, for null, with any. */
export async function countOrders(
  db: Runner,
  { org, userId, status }: ListParams & { readonly status: OrderStatus | null },
): Promise<number> {
  const [row] = await (status === null
    ? db.run(all, { org, userId })
    : db.run(withStatus, { org, userId, status }));
  return row?.orders ?? 0;
}

/**
 * Applies changes of counts in one statement, in the transaction that changes the orders.
 *
 * Call it after the transaction's event was recorded, which on PostgreSQL takes the organisation's lock: a transaction that changes
 * counts then waits for no other lock, so there can be no deadlock.
 */
export async function changeOrderCounts(tx: Transaction, changes: readonly CountChange[]): Promise<void> {
  const sums = new Map<string, CountChange>();
  for (const { org, userId, status, by } of changes) {
    const key = `${org} ${userId} ${status}`;
    sums.set(key, { org, userId, status, by: (sums.get(key)?.by ?? 0) + by });
  }
  const kept = [...sums.values()].filter(({ by }) => by !== 0);
  if (kept.length === 0) return;
  await change(
    tx,
    kept.map(({ by, ...count }) => ({ ...count, orders: by })),
  );
}
