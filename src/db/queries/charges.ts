import type { Placeholder } from 'drizzle-orm';
import { LIMITS } from '../../core/limits.ts';
import type { Runner } from '../database.ts';
import type { Way } from '../dialect.ts';
import { aliasedTable, and, asc, desc, eq, getTableColumns, ne, sql } from '../drizzle/index.ts';
import { constantLimit, literal } from '../literals.ts';
import { read, write } from '../query.ts';
import type { ChargeRow, ChargeStatus } from '../rows.ts';
import { asStored, type Builder, checked, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, nextVersion, updateIn } from './shared/changing.ts';
import { selectFirst } from './shared/first-rows.ts';
import { type Found, lookFor } from './shared/looking.ts';
import { findBy, isRow, listIn, lookupIn, type Page, rowsIn } from './shared/owned.ts';

/** The outcome of a charge, and the statuses that the charge may have before: of several concurrent reports, only one applies. */
export interface Settlement {
  readonly org: string;
  readonly id: number;
  readonly from: readonly ChargeStatus[];
  readonly to: Exclude<ChargeStatus, 'pending'>;
  /** Null keeps the stored value. */
  readonly paymentId: string | null;
  readonly failureCode: string | null;
  /** When to query the gateway to confirm the outcome; null if the gateway itself has reported it. */
  readonly checkAt: Date | null;
}

/** The charge with this id in any organisation. Only for messages of the provider, which concern charges of all organisations. */
export const findChargeInAnyOrganisation = findBy('charges.anyById', 'charges', ['id']);

interface OfOrders {
  readonly org: string;
  readonly orderIds: readonly number[];
}

/** The newest charges for each of these orders, at most `size` per order, in one statement. Ids must be distinct. */
export const newestChargesOfOrders = read.all<OfOrders & { size: number }, ChargeRow>(
  'charges.newestOfOrders',
  (builder, p) => {
    const { charges } = builder.tables;
    return selectFirst(builder, getTableColumns(charges), charges, {
      parents: builder.dialect.each(p.orderIds),
      org: p.org,
      prefix: (few) => [[few.orderId, sql`wanted.id`]],
      only: (few) => eq(few.org, p.org),
      direction: desc,
      limit: p.size,
    }).orderBy(asc(charges.orderId), desc(charges.id));
  },
);

const paidAmong = statement<OfOrders, readonly { orderId: number; paid: boolean }[]>(
  'charges.paidAmong',
  ({ orm, tables: { charges, orders }, dialect }, p) => {
    const few = aliasedTable(charges, 'few');
    // Replacing the items of an order can change its currency, so its charges may have several.
    const largest = sql`select ${few.amount} - ${few.amountRefunded} as amount from ${charges} as few
      where ${few.orderId} = ${orders.id} and ${few.status} = 'succeeded' and ${few.org} = ${p.org}
        and ${few.currency} = ${orders.currency}
      order by ${desc(few.amount)}
      limit ${literal(LIMITS.chargesAddedUp)}`;
    return orm
      .select({
        orderId: orders.id,
        paid: sql<boolean>`(select coalesce(sum(amount), 0) from (${largest}) as largest) >= ${orders.total}`.mapWith(
          Boolean,
        ),
      })
      .from(dialect.each(p.orderIds))
      .innerJoin(orders, and(eq(orders.id, sql`wanted.id`), eq(orders.org, p.org)));
  },
);

/** Inserts a pending charge. At `checkAt` the gateway is queried for the outcome, if it is not known by then. */
export const insertCharge = insertIn(
  'charges',
  ['org', 'userId', 'orderId', 'amount', 'currency', 'source', 'reference', 'checkAt'],
  { at: ['createdAt', 'updatedAt'], fixed: { status: 'pending' } },
);

/** Writes the outcome of a charge. Undefined if its status is not one of `from`. */
export const settleCharge = updateIn('charges.settle', 'charges', ['failureCode', 'checkAt'], {
  at: ['updatedAt'],
  set: (charges, p: Placeholders<Pick<Settlement, 'from' | 'to' | 'paymentId'>>) => {
    const to = asStored(p.to, charges.status);
    return {
      status: to,
      paymentId: sql`coalesce(${asStored(p.paymentId, charges.paymentId)}, ${charges.paymentId})`,
      // The whole amount, including refunds that were made directly at the provider.
      amountRefunded: sql`case when ${to} = 'refunded' then ${charges.amount} else ${charges.amountRefunded} end`,
      amountReserved: sql`case when ${to} = 'refunded' then ${charges.amount} else ${charges.amountReserved} end`,
      ...nextVersion(charges),
    };
  },
  only: ({ status }, p, { dialect }) => [dialect.anyOf(status, p.from)],
});

/** Deletes a pending charge that the gateway will never make. */
export const removePendingCharge = write.run<{ org: string; id: number }>(
  'charges.remove',
  ({ orm, tables: { charges } }, p) =>
    orm.delete(charges).where(isRow(charges, p, eq(charges.status, 'pending'))),
);

/** The charge with this payment id of the gateway, in any organisation. Only for messages of the provider. */
export const findChargeOfPayment = read.first<{ paymentId: string }, ChargeRow>(
  'charges.byPayment',
  ({ orm, tables: { charges } }, p) =>
    orm.select().from(charges).where(eq(charges.paymentId, p.paymentId)).limit(constantLimit(1)),
);

/** Marks a charge as needing no further query to the gateway, and adds its payment id if it was unknown. A pending charge stays open. */
export const closeCharge = updateIn('charges.close', 'charges', [], {
  fixed: { checkAt: null },
  set: ({ paymentId }, p: Placeholders<Pick<Settlement, 'paymentId'>>) => ({
    paymentId: sql`coalesce(${paymentId}, ${asStored(p.paymentId, paymentId)})`,
  }),
  only: ({ status }) => [ne(status, 'pending')],
});

/** A condition written like that of the partial index, so that both engines use the index. */
const isDue = ({ status, checkAt }: Tables['charges'], now: Placeholder) =>
  sql`(${status} = 'pending' or ${checkAt} is not null) and ${checkAt} <= ${asStored(now, checkAt)}`;

/** Up to `limit` charges of all organisations whose outcome must be queried from the gateway, the longest due first. */
export const dueCharges = read.all<{ now: Date; limit: number }, ChargeRow>(
  'charges.due',
  ({ orm, tables: { charges } }, p) =>
    orm.select().from(charges).where(isDue(charges, p.now)).orderBy(asc(charges.checkAt)).limit(p.limit),
);

/** Leases a due charge until `checkAt`. Undefined if another instance was faster, or the charge was settled. */
export const claimDueCharge = updateIn('charges.claim', 'charges', ['checkAt'], {
  only: (charges, p: Placeholders<{ now: Date }>) => [isDue(charges, p.now)],
});

export const charges = lookupIn('charges');
export const chargesBefore = rowsIn('charges', 'before');

/** Filters of a list of charges. */
interface ChargeFilters {
  /** Null for charges of any order, and without one. */
  readonly orderId: number | null;
  /** Null for any. */
  readonly status: ChargeStatus | null;
}

type Looking = Placeholders<Pick<ChargeFilters, 'status'>>;

/** Selects charges, and whether they have the state. */
const look = ({ orm, tables: { charges } }: Builder, p: Looking) => {
  const status = sql`coalesce(${asStored(p.status, charges.status)}, ${charges.status})`;
  const visible = sql<boolean>`${checked(eq(charges.status, status))}`.mapWith(Boolean);
  return orm.select({ ...getTableColumns(charges), visible }).from(charges);
};

const lookInOrganisation = listIn('charges.look', 'charges', 'before', { select: look });
const lookAtOrder = listIn('charges.lookAtOrder', 'charges', 'before', {
  along: ({ orderId }, p: Looking & Placeholders<{ orderId: number }>) => [[orderId, p.orderId]],
  select: look,
});

/**
 * Up to `limit` charges that pass the filters before an id, the newest first; backwards, those after it. {@link lookFor} limits how many
 * charges it examines for a state.
 */
export const filteredChargesBefore = (
  db: Runner,
  { orderId, status, org, ...wanted }: Page & ChargeFilters,
  way: Way,
): Promise<Found<ChargeRow>> =>
  lookFor(wanted, (part) => {
    const page = { org, status, ...part };
    return orderId === null ? lookInOrganisation(db, page, way) : lookAtOrder(db, { ...page, orderId }, way);
  });

/**
 * The orders among these whose successful charges in their currency, less what was refunded of them, reach their total. Only the
 * `LIMITS.chargesAddedUp` largest such charges of an order are added up. Total, currency and charges are from one statement, since
 * replacing the items of an order changes its total and can change its currency.
 */
export async function paidOrdersAmong(
  db: Runner,
  org: string,
  orderIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.run(paidAmong, { org, orderIds });
  return new Set(rows.filter(({ paid }) => paid).map(({ orderId }) => orderId));
}
