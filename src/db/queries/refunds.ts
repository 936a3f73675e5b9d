import type { Placeholder } from 'drizzle-orm';
import type { Transaction } from '../database.ts';
import { aliasedTable, and, asc, desc, eq, getTableColumns, lte, or, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { ChargeRow, RefundRow } from '../rows.ts';
import { asStored, checked, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, nextVersion, updateIn } from './shared/changing.ts';
import { selectFirst } from './shared/first-rows.ts';
import { findBy, listIn, lookupIn } from './shared/owned.ts';

interface Reservation {
  readonly org: string;
  readonly chargeId: number;
  /** Minor units. With 0 the charge is only locked. */
  readonly amount: number;
}

/** A condition for the charge of a refund, while something is left of it. */
const isSucceeded = (
  { id, org, status }: Tables['charges'],
  p: Readonly<Record<'org' | 'chargeId', Placeholder>>,
) => and(eq(id, p.chargeId), eq(org, p.org), eq(status, 'succeeded'));

/** A condition for refunds whose outcome is due to be queried, written like that of the partial index, so that both engines use it. */
const isDue = ({ status, checkAt }: Tables['refunds'], now: Placeholder) =>
  and(sql`${status} = 'pending'`, sql`${checkAt} <= ${asStored(now, checkAt)}`);

/**
 * Reserves an amount of what is left of a charge, so that concurrent refunds never exceed the charge. This locks the
 * charge's row.
 *
 * @returns the charge after the reservation; undefined if less than the amount, or nothing, is left.
 */
export const reserveRefund = write.first<Reservation, ChargeRow>(
  'refunds.reserve',
  ({ orm, tables: { charges } }, p) => {
    const left = sql`(${charges.amount} - ${charges.amountReserved})`;
    const wanted = asStored(p.amount, charges.amount);
    return orm
      .update(charges)
      .set({ amountReserved: sql`${charges.amountReserved} + ${wanted}` })
      .where(
        and(
          isSucceeded(charges, p),
          checked(sql`${charges.paymentId} is not null and ${left} > 0 and ${wanted} <= ${left}`),
        ),
      )
      .returning();
  },
);

const release = statement<Reservation, unknown>('refunds.release', ({ orm, tables: { charges } }, p) =>
  orm
    .update(charges)
    .set({ amountReserved: sql`${charges.amountReserved} - ${asStored(p.amount, charges.amount)}` })
    // If the provider has refunded the whole charge, its reserved amount stays.
    .where(isSucceeded(charges, p)),
);

/** Inserts a pending refund whose amount was reserved. At `checkAt` the gateway is queried for the outcome, if it is not known by then. */
export const insertRefund = insertIn(
  'refunds',
  ['org', 'chargeId', 'userId', 'amount', 'currency', 'reference', 'checkAt'],
  { at: ['createdAt', 'updatedAt'], fixed: { status: 'pending' } },
);

const end = updateIn('refunds.end', 'refunds', ['status'], {
  at: ['updatedAt'],
  fixed: { checkAt: null },
  only: ({ status }) => [eq(status, 'pending')],
});

const give = write.first<Reservation & { now: Date }, ChargeRow>(
  'refunds.give',
  ({ orm, tables: { charges } }, p) => {
    const refunded = sql`(${charges.amountRefunded} + ${asStored(p.amount, charges.amount)})`;
    return orm
      .update(charges)
      .set({
        amountRefunded: refunded,
        status: sql`case when ${refunded} = ${charges.amount} then 'refunded' else ${charges.status} end`,
        ...nextVersion(charges),
        updatedAt: p.now,
      })
      .where(isSucceeded(charges, p))
      .returning();
  },
);

/** Up to `limit` refunds of a charge before an id, the newest first; backwards, those after it. */
export const refundsBefore = listIn('refunds.before', 'refunds', 'before', {
  along: ({ chargeId }, p: Placeholders<{ chargeId: number }>) => [[chargeId, p.chargeId]],
});

/** The newest refunds of each of these charges, at most `size` per charge, in one statement. Ids must be distinct. */
export const newestRefundsOfCharges = read.all<
  { org: string; chargeIds: readonly number[]; size: number },
  RefundRow
>('refunds.newestOfCharges', (builder, p) => {
  const { refunds } = builder.tables;
  return selectFirst(builder, getTableColumns(refunds), refunds, {
    parents: builder.dialect.each(p.chargeIds),
    org: p.org,
    prefix: (few) => [[few.chargeId, sql`wanted.id`]],
    only: (few) => eq(few.org, p.org),
    direction: desc,
    limit: p.size,
  }).orderBy(asc(refunds.chargeId), desc(refunds.id));
});

/** Up to `limit` refunds of all organisations whose outcome must be queried from the gateway, the longest due first. */
export const dueRefunds = read.all<{ now: Date; limit: number }, RefundRow>(
  'refunds.due',
  ({ orm, tables: { refunds } }, p) =>
    orm.select().from(refunds).where(isDue(refunds, p.now)).orderBy(asc(refunds.checkAt)).limit(p.limit),
);

/** Leases a due refund until `checkAt`. Undefined if another instance was faster, or the refund has ended. */
export const claimDueRefund = updateIn('refunds.claim', 'refunds', ['checkAt'], {
  only: (refunds, p: Placeholders<{ now: Date }>) => [isDue(refunds, p.now)],
});

/** Makes a refund due, after its request ended without an outcome, so that another request may continue it. */
export const offerRefund = updateIn('refunds.offer', 'refunds', [], {
  at: ['checkAt'],
  only: ({ status }) => [eq(status, 'pending')],
});

interface Adoption extends Omit<Reservation, 'amount'> {
  /** Minor units; null for everything that was not refunded yet. */
  readonly amount: number | null;
  /** The person whose refund it must be; null for anybody. */
  readonly userId: number | null;
  /** The request of a refund from before this time has ended, even if the reconciler has claimed the refund since. */
  readonly endedBefore: Date;
  readonly now: Date;
  readonly checkAt: Date;
}

/**
 * Claims a pending refund of the same amount whose request ended without an outcome. Only one of several concurrent callers gets it,
 * unless it is from before `endedBefore`: the gateway recognises a refund that is repeated.
 *
 * @returns the refund, or undefined if there is none.
 */
export const adoptRefund = write.first<Adoption, RefundRow>(
  'refunds.adopt',
  ({ orm, tables: { charges, refunds } }, p) => {
    const left = sql`(select ${charges.amount} - ${charges.amountRefunded} from ${charges}
      where ${charges.id} = ${p.chargeId} and ${charges.org} = ${p.org})`;
    const few = aliasedTable(refunds, 'few');
    const first = sql`(select min(${few.id}) from ${refunds} as few
      where ${few.org} = ${p.org} and ${few.chargeId} = ${p.chargeId} and ${checked(eq(few.status, 'pending'))}
        and (${few.checkAt} <= ${asStored(p.now, refunds.checkAt)}
          or ${few.createdAt} <= ${asStored(p.endedBefore, refunds.createdAt)})
        and ${few.userId} = coalesce(${asStored(p.userId, refunds.userId)}, ${few.userId})
        and ${few.amount} = coalesce(${asStored(p.amount, refunds.amount)}, ${left}))`;
    const hasEnded = lte(refunds.createdAt, p.endedBefore);
    return orm
      .update(refunds)
      .set({ checkAt: p.checkAt })
      .where(
        and(
          sql`${refunds.id} = ${first}`,
          eq(refunds.org, p.org),
          checked(and(eq(refunds.status, 'pending'), or(isDue(refunds, p.now), hasEnded))),
        ),
      )
      .returning();
  },
);

/** The refund with a reference, which the payment provider knows it by. */
export const findRefundByReference = findBy('refunds.byReference', 'refunds', ['org', 'reference']);

export const refunds = lookupIn('refunds');

/**
 * Marks a refund as succeeded, and adds its amount to the refunded amount of its charge.
 *
 * @returns the refund, undefined if it had ended before; and the charge, undefined if it was fully refunded before.
 */
export async function completeRefund(
  tx: Transaction,
  { org, id }: Pick<RefundRow, 'org' | 'id'>,
  now: Date,
): Promise<{ readonly refund: RefundRow | undefined; readonly charge: ChargeRow | undefined }> {
  const refund = await end(tx, { org, id, status: 'succeeded', now });
  if (!refund) return { refund, charge: undefined };
  const { chargeId, amount } = refund;
  const charge = await give(tx, { org, chargeId, amount, now });
  return { refund, charge };
}

/** Marks a pending refund as failed, and releases its amount for other refunds. */
export async function failRefund(
  tx: Transaction,
  { org, id }: Pick<RefundRow, 'org' | 'id'>,
  now: Date,
): Promise<void> {
  const refund = await end(tx, { org, id, status: 'failed', now });
  if (refund) await tx.run(release, { org, chargeId: refund.chargeId, amount: refund.amount });
}
