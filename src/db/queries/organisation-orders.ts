/**
 * Lists the orders of an organisation with keyset pagination: filtered, sorted by time or total, in either direction. Totals are sorted
 * by the numbers that clients see, whatever their currencies.
 */
import type { Placeholder, SQL } from 'drizzle-orm';
import { LIMITS } from '../../core/limits.ts';
import { toMajorUnits } from '../../core/money.ts';
import { EARLIEST_TIME, LATEST_TIME, timeAfter, timeBefore } from '../../core/time-range.ts';
import type { Runner } from '../database.ts';
import type { Prefix } from '../dialect.ts';
import { and, asc, desc, eq, isNull, sql } from '../drizzle/index.ts';
import type { ListedOrder, OrderStatus } from '../rows.ts';
import {
  asStored,
  type Builder,
  checked,
  combinationsOf,
  type Placeholders,
  statementPerForm,
} from '../statement.ts';
import { findOrders, findWholeOrders, type WholeOrder } from './orders.ts';
import { type Found, type LookedAt, lookThrough } from './shared/looking.ts';

const ORGANISATION_SORTS = ['created_at', 'total'] as const;
export type OrganisationSort = (typeof ORGANISATION_SORTS)[number];

/** Filters of the list. Members that are null match everything. */
export interface OrderFilters {
  readonly statuses: readonly OrderStatus[] | null;
  readonly userId: number | null;
  readonly productId: number | null;
  readonly currency: string | null;
  /** Only orders created after this time. */
  readonly createdAfter: Date | null;
  /** Only orders created before this time. */
  readonly createdBefore: Date | null;
  /** Minor units of `currency`, which is then required; inclusive. */
  readonly minTotal: number | null;
  readonly maxTotal: number | null;
}

/** A position in the list: milliseconds since the epoch or a total in major units, and the id of an order. */
export type OrderPosition = readonly [value: number, id: number];

interface OrganisationOrdersQuery {
  readonly org: string;
  readonly filters: OrderFilters;
  readonly sort: OrganisationSort;
  readonly descending: boolean;
  /** The position after which to read; undefined for the start. */
  readonly from: OrderPosition | undefined;
  readonly limit: number;
}

/** The place of an order in the list, when it was examined. */
export interface OrderPlace {
  readonly id: number;
  readonly position: OrderPosition;
}

/** The index that orders are read from, by the filter whose column it begins with, in addition to the organisation. */
type Driver = 'org' | 'status' | 'user' | 'product';

interface LookParams {
  readonly org: string;
  readonly status: OrderStatus | null;
  readonly statuses: readonly OrderStatus[] | null;
  readonly userId: number | null;
  /** 0 for any. */
  readonly productId: number;
  readonly currency: string | null;
  readonly createdFrom: Date;
  readonly createdUntil: Date;
  /** Minor units. */
  readonly minTotal: number;
  readonly maxTotal: number;
  /** The same bounds in major units. */
  readonly minValue: number;
  readonly maxValue: number;
  /** The position after which to read. */
  readonly at: Date | number;
  readonly id: number;
  readonly limit: number;
}

interface Looked extends LookedAt {
  readonly at: Date | number;
}

interface Form {
  readonly driver: Driver;
  readonly sort: OrganisationSort;
  readonly descending: boolean;
}

const lookOf = statementPerForm<Form, LookParams, readonly Looked[]>(
  combinationsOf({
    driver: ['org', 'status', 'user', 'product'] as const,
    sort: ORGANISATION_SORTS,
    descending: [true, false],
    // The index on the orders of a product is only in order of id.
  }).filter(({ driver, sort }) => driver !== 'product' || sort !== 'total'),
  ({ driver, sort, descending }) => `orders.look.${driver}.${sort}.${descending ? 'desc' : 'asc'}`,
  (form, builder, p) =>
    form.driver === 'product' ? lookAtProduct(form, builder, p) : lookAlong(form, builder, p),
);

/** Reads orders in the order of one of their indexes. */
function lookAlong({ driver, sort, descending }: Form, builder: Builder, p: Placeholders<LookParams>) {
  const { orm, tables, dialect } = builder;
  const { orders } = tables;
  const key: SQL<Date | number> =
    sort === 'total'
      ? dialect.inMajorUnits(orders.total, orders.currency)
      : sql`${orders.createdAt}`.mapWith(orders.createdAt);
  const stored = (value: Placeholder) => (sort === 'total' ? value : asStored(value, orders.createdAt));
  const prefix: Prefix = [
    [orders.org, p.org],
    ...(driver === 'status' ? [[orders.status, p.status] as const] : []),
    ...(driver === 'user' ? [[orders.userId, p.userId] as const] : []),
  ];
  const [least, most] = sort === 'total' ? [p.minValue, p.maxValue] : [p.createdFrom, p.createdUntil];
  const start = sql`(${key}, ${orders.id}) ${sql.raw(descending ? '<' : '>')} (${stored(p.at)}, ${p.id})`;
  const end = descending ? sql`${key} >= ${stored(least)}` : sql`${key} <= ${stored(most)}`;
  return orm
    .select({ id: orders.id, at: key, visible: passes(builder, p, driver) })
    .from(orders)
    .where(and(dialect.inIndex(prefix, orders.id), start, end, isNull(orders.deletedAt)))
    .orderBy(...dialect.orderInIndex(prefix, descending ? desc : asc, key, orders.id))
    .limit(p.limit);
}

/** Reads the orders that contain a product, in order of id, which is also the order of time. */
function lookAtProduct({ driver, descending }: Form, builder: Builder, p: Placeholders<LookParams>) {
  const { orm, tables, dialect } = builder;
  const { orders, orderItems: items } = tables;
  const direction = descending ? desc : asc;
  const few = sql`select distinct ${items.orderId} as id from ${items}
    where ${items.productId} = ${p.productId} and ${dialect.sameOrganisation(items.org, p.org)}
      and ${items.orderId} ${sql.raw(descending ? '<' : '>')} ${p.id}
    order by ${direction(items.orderId)} limit ${p.limit}`;
  return orm
    .select({
      id: sql<number>`wanted.id`.mapWith(items.orderId).as('id'),
      at: orders.createdAt,
      visible: passes(builder, p, driver),
    })
    .from(dialect.eachOf(few))
    .leftJoin(orders, and(eq(orders.id, sql`wanted.id`), eq(orders.org, p.org), isNull(orders.deletedAt)))
    .orderBy(direction(sql`wanted.id`)) as never;
}

/** A condition for orders that pass the filters. It chooses no index, but most of its columns are in the index that is read. */
function passes(builder: Builder, p: Placeholders<LookParams>, driver: Driver): SQL<boolean> {
  const { orders, orderItems: items } = builder.tables;
  const product = sql`cast(${p.productId} as bigint)`;
  const condition = and(
    builder.dialect.anyOfUnlessNull(orders.status, p.statuses),
    // Otherwise the index is that of the person's orders, or there is no filter on the person.
    driver === 'product'
      ? sql`${orders.userId} = coalesce(${asStored(p.userId, orders.userId)}, ${orders.userId})`
      : undefined,
    sql`${orders.currency} = coalesce(${asStored(p.currency, orders.currency)}, ${orders.currency})`,
    sql`${orders.createdAt} between ${asStored(p.createdFrom, orders.createdAt)} and ${asStored(p.createdUntil, orders.createdAt)}`,
    sql`${orders.total} between ${p.minTotal} and ${p.maxTotal}`,
    sql`(${product} = 0 or exists (select 1 from ${items} where ${items.productId} = ${product} and ${items.orderId} = ${orders.id}
      and ${builder.dialect.sameOrganisation(items.org, p.org)}))`,
  );
  return sql<boolean>`${checked(condition)}`.mapWith(Boolean);
}

/** Selective filters need many rows, so each read is a few times as large as the previous one. */
const LOOK_GROWTH = 4;

const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Finds orders until `limit` of them pass the filters, the list ends, or `LIMITS.ordersLookedAt` orders were examined. Their rows are
 * loaded by {@link loadOrders}: an order that is changed or deleted in between must not move the end of the page.
 */
export async function placesOfOrders(
  db: Runner,
  query: OrganisationOrdersQuery,
): Promise<Found<OrderPlace, OrderPosition>> {
  const { org, filters, sort, descending, limit: wanted } = query;
  const { statuses, userId, productId, currency } = filters;
  const driver = driverOf(filters, sort);
  const statement = lookOf({ driver, sort, descending });
  const bounds = boundsOf(filters);
  const common = {
    org,
    ...bounds,
    status: driver === 'status' ? (statuses?.[0] ?? null) : null,
    statuses,
    userId,
    productId: productId ?? 0,
    currency,
  };
  const { rows, ...end } = await lookThrough({
    from: query.from ?? startOf(query, bounds),
    wanted,
    most: LIMITS.ordersLookedAt,
    growth: LOOK_GROWTH,
    positionOf,
    look: ([value, id], limit) =>
      db.run(statement, { ...common, at: sort === 'total' ? value : new Date(value), id, limit }),
  });
  return { rows: rows.map((row) => ({ id: row.id, position: positionOf(row) })), ...end };
}

const positionOf = ({ at, id }: Looked): OrderPosition => [Number(at ?? 0), id];

/** Chooses the most selective index: by product, then by person, then by a single status. */
function driverOf({ statuses, userId, productId }: OrderFilters, sort: OrganisationSort): Driver {
  if (productId !== null && sort === 'created_at') return 'product';
  if (userId !== null) return 'user';
  return statuses?.length === 1 && sort === 'created_at' ? 'status' : 'org';
}

function boundsOf({ createdAfter, createdBefore, currency, minTotal, maxTotal }: OrderFilters) {
  const inMajor = (total: number | null) =>
    total === null || currency === null ? undefined : toMajorUnits(total, currency);
  return {
    createdFrom: new Date(createdAfter ? timeAfter(createdAfter) : EARLIEST_TIME),
    createdUntil: new Date(createdBefore ? timeBefore(createdBefore) : LATEST_TIME),
    minTotal: minTotal ?? 0,
    maxTotal: maxTotal ?? LARGEST,
    minValue: inMajor(minTotal) ?? 0,
    maxValue: inMajor(maxTotal) ?? LARGEST,
  };
}

/** The position before every order of the list. */
function startOf(
  { sort, descending }: OrganisationOrdersQuery,
  { createdFrom, createdUntil, minValue, maxValue }: ReturnType<typeof boundsOf>,
): OrderPosition {
  const [least, most] =
    sort === 'total' ? [minValue, maxValue] : [createdFrom.getTime(), createdUntil.getTime()];
  return descending ? [most, LARGEST] : [least, 0];
}

/**
 * Loads orders by their ids, in any order and without those that were deleted since they were found.
 *
 * @param whole whether to load the items as well.
 */
export const loadOrders = (
  db: Runner,
  org: string,
  ids: readonly number[],
  whole: boolean,
): Promise<readonly (ListedOrder | WholeOrder)[]> => (whole ? findWholeOrders : findOrders)(db, { org, ids });
