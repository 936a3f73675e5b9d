/** Deliveries of events to webhooks. Their attempts are in `webhook-attempts.ts`. */

import { LIMITS } from '../../core/limits.ts';
import type { Transaction } from '../database.ts';
import { aliasedTable, and, asc, between, desc, eq, getTableColumns, isNull, sql } from '../drizzle/index.ts';
import { constantLimit, literal } from '../literals.ts';
import { read, write } from '../query.ts';
import type { DeliveryStatus, WebhookDeliveryRow, WebhookRow } from '../rows.ts';
import { asStored, type Placeholders } from '../statement.ts';
import { updateIn } from './shared/changing.ts';
import { amongIn, isRow, listIn, ownerIn } from './shared/owned.ts';

/** A webhook that is behind its organisation's log. */
export type BehindWebhook = Pick<WebhookRow, 'id' | 'org' | 'lastEventId'>;

type NewDelivery = Pick<WebhookDeliveryRow, 'eventId' | 'eventType' | 'messageId'>;

/** The enabled webhooks whose organisation's log has events after their position, the one furthest behind first. */
export const webhooksBehind = read.all<{ limit: number }, BehindWebhook>(
  'webhookDeliveries.behind',
  ({ orm, tables: { webhooks, events } }, p) => {
    // One index lookup at the end of the organisation's log. With `=` PostgreSQL may assume an organisation of average size,
    // and scan the events of all organisations from the newest on.
    const newest = orm
      .select({ id: events.id })
      .from(events)
      .where(between(events.org, webhooks.org, webhooks.org))
      .orderBy(desc(events.org), desc(events.id))
      .limit(constantLimit(1));
    return (
      orm
        .select({ id: webhooks.id, org: webhooks.org, lastEventId: webhooks.lastEventId })
        .from(webhooks)
        .where(
          and(
            isNull(webhooks.deletedAt),
            isNull(webhooks.disabledAt),
            sql`(${newest}) > ${webhooks.lastEventId}`,
          ),
        )
        // The webhook furthest behind comes first, so that busy organisations do not starve the others.
        .orderBy(asc(webhooks.lastEventId))
        .limit(p.limit)
    );
  },
);

const advance = updateIn('webhookDeliveries.advance', 'webhooks', ['lastEventId'], {
  only: ({ lastEventId, deletedAt, disabledAt }, p: Placeholders<{ from: number }>) => [
    eq(lastEventId, p.from),
    isNull(deletedAt),
    isNull(disabledAt),
  ],
  columns: ({ types }) => ({ types }),
});

const insert = write.many<NewDelivery, readonly { readonly id: number }[]>(
  'webhookDeliveries.insert',
  ['eventId', 'eventType', 'messageId'],
  ({ orm, tables: { webhookDeliveries } }, deliveries) =>
    orm
      .insert(webhookDeliveries)
      .values(
        deliveries.map((delivery) => ({
          ...delivery,
          org: sql.placeholder('org'),
          webhookId: sql.placeholder('webhookId'),
          status: 'pending' as const,
          createdAt: sql.placeholder('now'),
        })),
      )
      .onConflictDoNothing()
      .returning({ id: webhookDeliveries.id }),
);

/** Up to `limit` deliveries of a webhook before an id, the newest first; backwards, those after it. */
export const deliveriesBefore = listIn('webhookDeliveries.before', 'webhookDeliveries', 'before', {
  along: ({ org, webhookId }, p: Placeholders<{ org: string; webhookId: number }>) => [
    [org, p.org],
    [webhookId, p.webhookId],
  ],
});

/** Like {@link deliveriesBefore}, but only those in one state. */
export const deliveriesInStateBefore = listIn(
  'webhookDeliveries.inStateBefore',
  'webhookDeliveries',
  'before',
  {
    along: (
      { org, webhookId, status },
      p: Placeholders<{ org: string; webhookId: number; status: DeliveryStatus }>,
    ) => [
      [org, p.org],
      [webhookId, p.webhookId],
      [status, asStored(p.status, status)],
    ],
  },
);

/** The deliveries of these events to existing webhooks, sorted by webhook. */
export const deliveriesOfEvents = read.all<{ org: string; eventIds: readonly number[] }, WebhookDeliveryRow>(
  'webhookDeliveries.ofEvents',
  ({ orm, tables: { webhooks, webhookDeliveries }, dialect }, p) => {
    const sent = aliasedTable(webhookDeliveries, 'sent');
    const prefix = [[webhooks.org, p.org]] as const;
    // A literal, since in a generic plan PostgreSQL estimates a limit that is a parameter as a tenth of all webhooks.
    const own = sql`select ${webhooks.id} from ${webhooks}
      where ${dialect.inIndex(prefix, webhooks.id)} and ${webhooks.deletedAt} is null
      order by ${sql.join(dialect.orderInIndex(prefix, asc, webhooks.id), sql`, `)}
      limit ${literal(LIMITS.webhooks)}`;
    // Looks up each pair in the index on webhook and event.
    const ids = sql`select ${sent.id} from (${own}) as own
      inner join ${webhookDeliveries} as sent on ${sent.webhookId} = own.id and ${sent.eventId} = wanted.id
        and ${sent.org} = ${p.org}`;
    return orm
      .select(getTableColumns(webhookDeliveries))
      .from(dialect.each(p.eventIds))
      .innerJoin(
        webhookDeliveries,
        and(
          dialect.amongFew(webhookDeliveries.id, ids),
          dialect.ofOrganisation(webhookDeliveries.org, p.org),
        ),
      )
      .orderBy(asc(webhookDeliveries.webhookId));
  },
);

/** The existing deliveries among these ids in this organisation, in order of id. */
export const findDeliveries = amongIn('webhookDeliveries');

export const findDelivery = read.first<{ org: string; webhookId: number; id: number }, WebhookDeliveryRow>(
  'webhookDeliveries.byId',
  ({ orm, tables: { webhookDeliveries } }, p) =>
    orm
      .select()
      .from(webhookDeliveries)
      .where(isRow(webhookDeliveries, p, eq(webhookDeliveries.webhookId, p.webhookId))),
);

const settle = updateIn('webhookDeliveries.settle', 'webhookDeliveries', ['status'], {
  at: ['finishedAt'],
  only: ({ status }, p: Placeholders<{ unless: DeliveryStatus }>) => [
    sql`${status} in ('pending', ${asStored(p.unless, status)})`,
  ],
});

/**
 * Advances a webhook's position in the log. Returns its event types, or undefined if its position has changed since it was read: only one
 * of several instances advances it and creates the deliveries.
 */
export async function advanceWebhook(
  tx: Transaction,
  { org, id, lastEventId }: BehindWebhook,
  to: number,
): Promise<readonly string[] | undefined> {
  return (await advance(tx, { org, id, from: lastEventId, lastEventId: to }))?.types;
}

/**
 * Inserts deliveries of one webhook, at most {@link LIMITS.webhookBatch}, except those of events that have one.
 *
 * @returns the ids of the inserted ones.
 */
export async function insertDeliveries(
  tx: Transaction,
  { id, org }: Pick<BehindWebhook, 'id' | 'org'>,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<readonly number[]> {
  return (await insert(tx, deliveries, { org, webhookId: id, now })).map((row) => row.id);
}

export const orgOfDelivery = ownerIn('webhookDeliveries');

/** Marks a delivery as delivered, even if it was given up before. Returns it unless it had been delivered already. */
export function acceptDelivery(
  tx: Transaction,
  { org, id }: Pick<WebhookDeliveryRow, 'org' | 'id'>,
  now: Date,
): Promise<WebhookDeliveryRow | undefined> {
  return settle(tx, { org, id, status: 'delivered', unless: 'failed', now });
}

/** Marks a pending delivery as failed. Returns it unless it was not pending. */
export function giveUpDelivery(
  tx: Transaction,
  { org, id }: Pick<WebhookDeliveryRow, 'org' | 'id'>,
  now: Date,
): Promise<WebhookDeliveryRow | undefined> {
  return settle(tx, { org, id, status: 'failed', unless: 'pending', now });
}
