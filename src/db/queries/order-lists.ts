/** Lists of orders: the page with a total for the routes, and the first few of many users for the graph. */
import type { SQL } from 'drizzle-orm';
import { type Runner, type Statement, statement } from '../database.ts';
import { aliasedTable, and, asc, count, desc, eq, getTableColumns, isNull, sql } from '../drizzle/index.ts';
import type { OrderRow, OrderStatus } from '../rows.ts';

export const ORDER_SORTS = ['created_at', 'total', 'id'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

export interface OrderPageQuery {
  readonly org: string;
  readonly userId: number;
  /** Null for orders in every state. */
  readonly status: OrderStatus | null;
  readonly sort: OrderSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface ListParams {
  readonly org: string;
  readonly userId: number;
  readonly status: OrderStatus | null;
}

interface PageParams extends ListParams {
  readonly limit: number;
  readonly offset: number;
}

type PageStatement = Statement<PageParams, readonly OrderRow[]>;
type CountStatement = Statement<ListParams, readonly { orders: number }[]>;

/** The few forms that a list can take are all prepared, rather than a query written for each request. */
const pages = new Map<string, PageStatement>();
const counts = new Map<string, CountStatement>();

const filterName = (filtered: boolean) => (filtered ? 'withStatus' : 'all');
const pageName = (sort: OrderSort, descending: boolean, filtered: boolean) =>
  `orders.page.${sort}.${descending ? 'desc' : 'asc'}.${filterName(filtered)}`;

for (const filtered of [true, false]) {
  counts.set(filterName(filtered), countStatement(filtered));
  for (const sort of ORDER_SORTS) {
    for (const descending of [true, false]) {
      pages.set(pageName(sort, descending, filtered), pageStatement(sort, descending, filtered));
    }
  }
}

function countStatement(filtered: boolean): CountStatement {
  return statement(`orders.count.${filterName(filtered)}`, ({ orm, tables: { orders } }, p) => {
    const status = filtered ? eq(orders.status, p.status) : undefined;
    return orm
      .select({ orders: count() })
      .from(orders)
      .where(and(eq(orders.org, p.org), eq(orders.userId, p.userId), status, isNull(orders.deletedAt)));
  });
}

function pageStatement(sort: OrderSort, descending: boolean, filtered: boolean): PageStatement {
  return statement(pageName(sort, descending, filtered), ({ orm, tables: { orders }, dialect }, p) => {
    const status = filtered ? eq(orders.status, dialect.steady(p.status)) : undefined;
    const direction = descending ? desc : asc;
    const keys: Record<OrderSort, SQL[]> = {
      created_at: [direction(orders.createdAt), direction(orders.id)],
      total: [direction(orders.total), direction(orders.id)],
      id: [direction(orders.id)],
    };
    // drizzle's types know numbers and bare placeholders here; it writes expressions just as well.
    return orm
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.org, dialect.steady(p.org)),
          eq(orders.userId, dialect.steady(p.userId)),
          status,
          isNull(orders.deletedAt),
        ),
      )
      .orderBy(...keys[sort])
      .limit(dialect.steady(p.limit) as never)
      .offset(dialect.steady(p.offset) as never);
  });
}

/** One page of a user's orders and how many there are in all. Equal keys are in order of id, in the same direction. */
export async function pageOfOrders(
  db: Runner,
  query: OrderPageQuery,
): Promise<{ rows: readonly OrderRow[]; total: number }> {
  const { org, userId, status, limit, offset } = query;
  const filtered = status !== null;
  const page = pages.get(pageName(query.sort, query.descending, filtered));
  const all = counts.get(filterName(filtered));
  if (!page || !all) throw new Error(`Orders cannot be sorted by "${query.sort}".`);
  const [rows, [counted]] = await Promise.all([
    db.run(page, { org, userId, status, limit, offset }),
    db.run(all, { org, userId, status }),
  ]);
  return { rows, total: counted?.orders ?? 0 };
}

interface FewParams {
  readonly org: string;
  readonly userIds: readonly number[];
  readonly size: number;
}

const fewStatement = (newestFirst: boolean) =>
  statement<FewParams, readonly OrderRow[]>(
    newestFirst ? 'orders.newestOfUsers' : 'orders.oldestOfUsers',
    ({ orm, tables: { orders }, dialect }, p) => {
      const direction = newestFirst ? desc : asc;
      const few = aliasedTable(orders, 'few');
      const idsOfOneUser = sql`select ${few.id} from ${orders} as few
        where ${few.org} = ${p.org} and ${few.userId} = wanted.id and ${few.deletedAt} is null
        order by ${direction(few.createdAt)}, ${direction(few.id)}
        limit ${p.size}`;
      return orm
        .select(getTableColumns(orders))
        .from(dialect.each(p.userIds))
        .innerJoin(orders, dialect.amongFew(orders.id, idsOfOneUser))
        .orderBy(asc(orders.userId), direction(orders.createdAt), direction(orders.id));
    },
  );

const newestOfUsers = fewStatement(true);
const oldestOfUsers = fewStatement(false);

/**
 * The newest or the oldest few orders of each of these users, in one statement. User by user in order of id, and
 * each user's in the direction asked for: `newest` gives the newest first. Ids must be distinct.
 */
export function fewOrdersOfUsers(
  db: Runner,
  org: string,
  userIds: readonly number[],
  which: 'newest' | 'oldest',
  size: number,
): Promise<readonly OrderRow[]> {
  return db.run(which === 'newest' ? newestOfUsers : oldestOfUsers, { org, userIds, size });
}
