/** Attempts to deliver to webhooks: pending ones, which instances distribute by leases, and finished ones. */

import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { Transaction } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { and, asc, eq, getTableColumns, isNull, lte, or, sql } from '../drizzle/index.ts';
import { constantLimit } from '../literals.ts';
import { read, write } from '../query.ts';
import type { EventRow, WebhookAttemptRow, WebhookDeliveryRow } from '../rows.ts';
import { asStored, type Builder, checked, equal, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { updateIn } from './shared/changing.ts';

export interface AttemptToMake {
  readonly attempt: WebhookAttemptRow;
  readonly messageId: string;
  readonly url: string;
  /** Encrypted. */
  readonly secret: string;
  readonly formerSecret: string | null;
  readonly formerSecretUntil: Date | null;
  /** Null if the event was purged. */
  readonly event: EventRow | null;
}

type NewAttempt = Pick<
  WebhookAttemptRow,
  'org' | 'deliveryId' | 'webhookId' | 'number' | 'trigger' | 'retriesLeft' | 'dueAt'
>;

/** A condition for attempts that are neither finished nor leased. */
function isFree({ finishedAt, leasedUntil }: Tables['webhookAttempts'], now: SQL): SQL | undefined {
  return and(isNull(finishedAt), or(isNull(leasedUntil), lte(leasedUntil, now)));
}

/**
 * Selects a column of the due attempts at a webhook that are not leased, the longest due first. That is the order of their index: otherwise
 * PostgreSQL may scan another one, over the attempts of all webhooks, until it finds one.
 */
const dueAttempts = (
  { orm, tables: { webhookAttempts }, dialect }: Builder,
  column: 'id' | 'dueAt',
  { id, org }: Readonly<Record<'id' | 'org', Column | Placeholder>>,
  now: SQL,
) =>
  orm
    .select({ [column]: webhookAttempts[column] })
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.webhookId, id),
        dialect.sameOrganisation(webhookAttempts.org, org),
        lte(webhookAttempts.dueAt, now),
        isFree(webhookAttempts, now),
      ),
    )
    .orderBy(asc(webhookAttempts.dueAt), asc(webhookAttempts.id));

/** The condition of a join of attempts with their deliveries. */
const isOfDelivery = (
  { webhookDeliveries, webhookAttempts }: Pick<Tables, 'webhookDeliveries' | 'webhookAttempts'>,
  dialect: Dialect,
) =>
  and(
    eq(webhookDeliveries.id, webhookAttempts.deliveryId),
    dialect.sameOrganisation(webhookDeliveries.org, webhookAttempts.org),
  );

/** A webhook with due attempts. */
export type DueWebhook = Pick<WebhookAttemptRow, 'org' | 'webhookId'>;

/** The enabled webhooks with an attempt that is due and not leased, the longest due first. */
export const webhooksWithDue = read.all<{ now: Date }, DueWebhook>('webhookAttempts.due', (builder, p) => {
  const { webhooks, webhookAttempts } = builder.tables;
  // One index lookup per webhook, however many attempts follow the first.
  const first = dueAttempts(builder, 'dueAt', webhooks, asStored(p.now, webhookAttempts.dueAt)).limit(
    constantLimit(1),
  );
  return builder.orm
    .select({ org: webhooks.org, webhookId: webhooks.id })
    .from(webhooks)
    .where(and(isNull(webhooks.deletedAt), isNull(webhooks.disabledAt), sql`(${first}) is not null`))
    .orderBy(sql`(${first})`);
});

const claim = statement<
  DueWebhook & { limit: number; now: Date; leasedUntil: Date },
  readonly { readonly id: number }[]
>('webhookAttempts.claim', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { webhookAttempts } = tables;
  const now = asStored(p.now, webhookAttempts.dueAt);
  const oldest = dueAttempts(builder, 'id', { id: p.webhookId, org: p.org }, now).limit(p.limit);
  return (
    orm
      .update(webhookAttempts)
      .set({
        leasedUntil: p.leasedUntil,
        startedAt: now,
        claims: sql`${webhookAttempts.claims} + 1`,
      })
      // Checked again for each row, since another instance may have leased it between the two reads.
      .where(
        and(
          dialect.amongFew(webhookAttempts.id, oldest.getSQL()),
          dialect.ofOrganisation(webhookAttempts.org, p.org),
          checked(isFree(webhookAttempts, now)),
        ),
      )
      .returning({ id: webhookAttempts.id })
  );
});

const toMake = statement<{ org: string; ids: readonly number[] }, readonly AttemptToMake[]>(
  'webhookAttempts.toMake',
  ({ orm, tables: { webhooks, webhookDeliveries, webhookAttempts, events }, dialect }, p) =>
    orm
      .select({
        attempt: getTableColumns(webhookAttempts),
        messageId: webhookDeliveries.messageId,
        url: webhooks.url,
        secret: webhooks.secret,
        formerSecret: webhooks.formerSecret,
        formerSecretUntil: webhooks.formerSecretUntil,
        event: getTableColumns(events),
      })
      .from(webhookAttempts)
      .innerJoin(webhookDeliveries, isOfDelivery({ webhookDeliveries, webhookAttempts }, dialect))
      .innerJoin(
        webhooks,
        and(
          eq(webhooks.id, webhookAttempts.webhookId),
          dialect.sameOrganisation(webhooks.org, webhookAttempts.org),
          isNull(webhooks.deletedAt),
          isNull(webhooks.disabledAt),
        ),
      )
      .leftJoin(events, and(eq(events.id, webhookDeliveries.eventId), eq(events.org, webhookDeliveries.org)))
      .where(
        and(dialect.anyOf(webhookAttempts.id, p.ids), dialect.ofOrganisation(webhookAttempts.org, p.org)),
      )
      .orderBy(asc(webhookAttempts.dueAt), asc(webhookAttempts.id)),
);

/** Inserts pending attempts, at most {@link LIMITS.webhookBatch}. */
export const insertAttempts = write.many<NewAttempt, readonly WebhookAttemptRow[]>(
  'webhookAttempts.insert',
  ['org', 'deliveryId', 'webhookId', 'number', 'trigger', 'retriesLeft', 'dueAt'],
  ({ orm, tables: { webhookAttempts } }, attempts) =>
    orm.insert(webhookAttempts).values(attempts).returning(),
);

/** The conditions of an attempt whose lease is still that of its holder. */
const isHeld = ({ claims, finishedAt }: Tables['webhookAttempts'], p: Placeholders<{ claims: number }>) => [
  eq(claims, p.claims),
  isNull(finishedAt),
];

/** Records the outcome of an attempt. Undefined if another process has taken over its lease. */
export const finishAttempt = updateIn(
  'webhookAttempts.finish',
  'webhookAttempts',
  ['finishedAt', 'durationMs', 'httpStatus', 'error', 'answer'],
  { fixed: { leasedUntil: null }, only: isHeld },
);

/** Releases the lease of an attempt that was aborted, so that it is made again. */
export const giveBackAttempt = updateIn('webhookAttempts.giveBack', 'webhookAttempts', [], {
  fixed: { leasedUntil: null, startedAt: null },
  set: ({ claims }) => ({ claims: sql`${claims} - 1` }),
  only: isHeld,
});

/** Makes the scheduled attempt due now as a redelivery, unless it is leased. The retries that are left follow if it fails. */
export const expediteAttempt = write.first<{ org: string; deliveryId: number; now: Date }, WebhookAttemptRow>(
  'webhookAttempts.hasten',
  ({ orm, tables: { webhookAttempts } }, p) => {
    const now = asStored(p.now, webhookAttempts.dueAt);
    return orm
      .update(webhookAttempts)
      .set({ dueAt: now, trigger: 'redelivery' })
      .where(and(equal(webhookAttempts, p, 'deliveryId', 'org'), checked(isFree(webhookAttempts, now))))
      .returning();
  },
);

/** The attempts of all these deliveries, sorted by delivery and number. A caller who may see a delivery may see its attempts. */
export const attemptsAt = read.all<{ org: string; deliveryIds: readonly number[] }, WebhookAttemptRow>(
  'webhookAttempts.ofDeliveries',
  ({ orm, tables: { webhookAttempts }, dialect }, p) =>
    orm
      .select()
      .from(webhookAttempts)
      .where(
        and(
          dialect.anyOf(webhookAttempts.deliveryId, p.deliveryIds),
          dialect.ofOrganisation(webhookAttempts.org, p.org),
        ),
      )
      .orderBy(asc(webhookAttempts.deliveryId), asc(webhookAttempts.number)),
);

/**
 * The event types of a webhook's unfinished attempts. Redeliveries are among them, also of messages that were delivered before, and each
 * attempt in progress, which another one may follow.
 */
export const unfinishedTypes = read.all<DueWebhook, Pick<WebhookDeliveryRow, 'eventType'>>(
  'webhookAttempts.unfinishedTypes',
  ({ orm, tables: { webhookDeliveries, webhookAttempts }, dialect }, p) =>
    orm
      .select({ eventType: webhookDeliveries.eventType })
      .from(webhookAttempts)
      .innerJoin(webhookDeliveries, isOfDelivery({ webhookDeliveries, webhookAttempts }, dialect))
      .where(
        and(
          eq(webhookAttempts.webhookId, p.webhookId),
          dialect.sameOrganisation(webhookAttempts.org, p.org),
          isNull(webhookAttempts.finishedAt),
        ),
      )
      .groupBy(webhookDeliveries.eventType),
);

/**
 * Leases due attempts of a webhook until `leasedUntil`, the longest due first.
 *
 * @returns everything needed to make them; empty if the webhook was deleted or disabled in the meantime.
 */
export async function claimAttempts(
  tx: Transaction,
  { org, webhookId }: DueWebhook,
  limit: number,
  now: Date,
  leasedUntil: Date,
): Promise<readonly AttemptToMake[]> {
  const ids = (await tx.run(claim, { org, webhookId, limit, now, leasedUntil })).map(({ id }) => id);
  return ids.length === 0 ? [] : tx.run(toMake, { org, ids });
}
