/** Lists of orders: a page with a total for REST routes, and the first orders of many users for GraphQL. */
import type { SQL } from 'drizzle-orm';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Runner } from '../database.ts';
import type { Prefix } from '../dialect.ts';
import { aliasedTable, and, asc, desc, isNull, sql } from '../drizzle/index.ts';
import type { ListedOrder, OrderStatus } from '../rows.ts';
import { type Builder, combinationsOf, statementPerForm } from '../statement.ts';
import { countOrders } from './order-counts.ts';
import { listedColumns, type WholeOrder, wholeColumns } from './orders.ts';
import { selectFirst } from './shared/first-rows.ts';

export const ORDER_SORTS = ['created_at', 'total', 'id'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

interface OrderPageQuery {
  readonly org: string;
  readonly userId: number;
  /** Null for orders of every status. */
  readonly status: OrderStatus | null;
  readonly sort: OrderSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly whole?: boolean;
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

interface Form {
  readonly sort: OrderSort;
  readonly descending: boolean;
  readonly filtered: boolean;
  /** Whether the page has an offset. The rows before it are then skipped within an index. */
  readonly further: boolean;
  /** Whether the items are read as well. */
  readonly whole: boolean;
}

const pageName = ({ sort, descending, filtered, further, whole }: Form) =>
  [
    `orders.${further ? 'furtherPage' : 'page'}${whole ? 'Whole' : ''}`,
    sort,
    descending ? 'desc' : 'asc',
    filtered ? 'withStatus' : 'all',
  ].join('.');

const EITHER = [true, false];

/** The columns of orders, with their items if `whole`. */
const columnsOf = (builder: Builder, whole: boolean) =>
  whole ? wholeColumns(builder) : listedColumns(builder.tables.orders);

const pageOf = statementPerForm<Form, PageParams, readonly (ListedOrder | WholeOrder)[]>(
  combinationsOf({ sort: ORDER_SORTS, descending: EITHER, filtered: EITHER, further: EITHER, whole: EITHER }),
  pageName,
  ({ sort, descending, filtered, further, whole }, builder, p) => {
    const { orm, tables, dialect } = builder;
    const { orders } = tables;
    const columns = columnsOf(builder, whole);
    const direction = descending ? desc : asc;
    const placeIn = (table: typeof orders): Prefix => [
      [table.org, p.org],
      [table.userId, p.userId],
      ...(filtered ? [[table.status, p.status] as const] : []),
    ];
    const keysOf = (table: typeof orders): SQL[] => {
      const keys = {
        created_at: [table.createdAt, table.id],
        total: [dialect.inMajorUnits(table.total, table.currency), table.id],
        id: [table.id],
      };
      return dialect.orderInIndex(placeIn(table), direction, ...keys[sort]);
    };
    const inList = (table: typeof orders) =>
      and(dialect.inIndex(placeIn(table), table.id), isNull(table.deletedAt));
    if (!further) {
      return orm
        .select(columns)
        .from(orders)
        .where(inList(orders))
        .orderBy(...keysOf(orders))
        .limit(p.limit)
        .offset(p.offset);
    }
    const few = aliasedTable(orders, 'few');
    const ids = sql`select ${few.id} from ${orders} as few where ${inList(few)}
      order by ${sql.join(keysOf(few), sql`, `)} limit ${p.limit} offset ${p.offset}`;
    return orm
      .select(columns)
      .from(orders)
      .where(and(dialect.amongFew(orders.id, ids), dialect.ofOrganisation(orders.org, p.org)))
      .orderBy(...keysOf(orders));
  },
);

/**
 * Returns one page of a user's orders and their total number. Orders with equal keys are sorted by id, in the same direction. A page
 * past the end is empty, and no query runs for it.
 *
 * @throws ApiError `page_too_deep` if the page exists but begins after more than `LIMITS.pageDepth` rows.
 */
export async function pageOfOrders(
  db: Runner,
  query: OrderPageQuery,
): Promise<{ rows: readonly (ListedOrder | WholeOrder)[]; total: number }> {
  const { org, userId, status, limit, offset, sort, descending, whole = false } = query;
  const page = pageOf({ sort, descending, filtered: status !== null, further: offset > 0, whole });
  const counting = countOrders(db, { org, userId, status });
  const read = () => db.run(page, { org, userId, status, limit, offset });
  if (offset === 0) {
    const [rows, total] = await Promise.all([read(), counting]);
    return { rows, total };
  }
  const total = await counting;
  if (offset >= total) return { rows: [], total };
  if (offset > LIMITS.pageDepth) throw new ApiError('page_too_deep');
  return { rows: await read(), total };
}

interface FewParams {
  readonly org: string;
  readonly userIds: readonly number[];
  /** The maximum number of orders of a user. */
  readonly size: number;
}

interface FewForm {
  readonly end: 'first' | 'last';
  readonly whole: boolean;
}

const fewOf = statementPerForm<FewForm, FewParams, readonly (ListedOrder | WholeOrder)[]>(
  combinationsOf({ end: ['first', 'last'] as const, whole: EITHER }),
  ({ end, whole }) => `orders.${end === 'first' ? 'oldest' : 'newest'}OfUsers${whole ? 'Whole' : ''}`,
  ({ end, whole }, builder, p) => {
    const { tables, dialect } = builder;
    const { orders } = tables;
    const direction = end === 'first' ? asc : desc;
    return selectFirst(builder, columnsOf(builder, whole), orders, {
      parents: dialect.each(p.userIds),
      org: p.org,
      prefix: (few) => [
        [few.org, p.org],
        [few.userId, sql`wanted.id`],
      ],
      only: ({ deletedAt }) => isNull(deletedAt),
      direction,
      order: ({ createdAt, id }) => [createdAt, id],
      limit: p.size,
    }).orderBy(asc(orders.userId), direction(orders.createdAt), direction(orders.id));
  },
);

/**
 * Returns the first or the last orders of each of these users by time, in one statement. The result is sorted by the id of the user, then
 * from that end. Ids must be distinct.
 */
export const fewOrdersOfUsers = (
  db: Runner,
  params: FewParams,
  form: FewForm,
): Promise<readonly (ListedOrder | WholeOrder)[]> => db.run(fewOf(form), params);
