/** Retention of webhook deliveries. */

import { asStored, type Database, statement } from '../database.ts';
import { and, asc, eq, isNull, lt, notExists } from '../drizzle/index.ts';

const old = statement<{ before: Date; limit: number }, readonly { readonly id: number }[]>(
  'webhookRetention.old',
  ({ orm, tables: { webhooks, webhookDeliveries, webhookAttempts }, dialect }, p) =>
    orm
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      // A delivery with an open attempt is kept, however long its webhook is disabled, unless the webhook was deleted.
      .where(
        and(
          lt(webhookDeliveries.createdAt, asStored(p.before, webhookDeliveries.createdAt)),
          notExists(
            orm
              .select({ id: webhookAttempts.id })
              .from(webhookAttempts)
              .innerJoin(
                webhooks,
                and(
                  eq(webhooks.id, webhookAttempts.webhookId),
                  dialect.sameOrganisation(webhooks.org, webhookAttempts.org),
                  isNull(webhooks.deletedAt),
                ),
              )
              .where(
                and(
                  eq(webhookAttempts.deliveryId, webhookDeliveries.id),
                  dialect.sameOrganisation(webhookAttempts.org, webhookDeliveries.org),
                  isNull(webhookAttempts.finishedAt),
                ),
              ),
          ),
        ),
      )
      .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
      .limit(p.limit),
);

const removeAttempts = statement<{ ids: readonly number[] }, unknown>(
  'webhookRetention.removeAttempts',
  ({ orm, tables: { webhookAttempts }, dialect }, p) =>
    orm.delete(webhookAttempts).where(dialect.anyOf(webhookAttempts.deliveryId, p.ids)),
);

const removeDeliveries = statement<{ ids: readonly number[] }, unknown>(
  'webhookRetention.removeDeliveries',
  ({ orm, tables: { webhookDeliveries }, dialect }, p) =>
    orm.delete(webhookDeliveries).where(dialect.anyOf(webhookDeliveries.id, p.ids)),
);

/** Deletes up to `limit` ended deliveries that were created before a time, with their attempts. Returns the number of deliveries. */
export async function removeOldDeliveries(database: Database, before: Date, limit: number): Promise<number> {
  const ids = (await database.run(old, { before, limit })).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await database.transaction(async (tx) => {
    await tx.run(removeAttempts, { ids });
    await tx.run(removeDeliveries, { ids });
  });
  return ids.length;
}
