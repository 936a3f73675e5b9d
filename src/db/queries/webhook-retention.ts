/** Retention of webhook deliveries. */

import type { Database, Transaction } from '../database.ts';
import { and, asc, eq, isNull, lt, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import { type Builder, checked, isEmpty } from '../statement.ts';

interface Found {
  readonly id: number;
}

/** A delivery with an open attempt is kept, however long its webhook is disabled, unless the webhook was deleted. */
const hasEnded = ({ orm, tables: { webhooks, webhookDeliveries, webhookAttempts }, dialect }: Builder) =>
  isEmpty(
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
          checked(isNull(webhookAttempts.finishedAt)),
        ),
      ),
  );

const old = read.all<{ before: Date; limit: number }, Found>('webhookRetention.old', (builder, p) => {
  const { webhookDeliveries } = builder.tables;
  const { id, createdAt } = webhookDeliveries;
  return builder.orm
    .select({ id })
    .from(webhookDeliveries)
    .where(and(lt(createdAt, p.before), hasEnded(builder)))
    .orderBy(asc(createdAt), asc(id))
    .limit(p.limit);
});

interface Ids {
  readonly ids: readonly number[];
}

const hold = write.run<Ids>('webhookRetention.hold', ({ orm, tables: { webhookDeliveries }, dialect }, p) =>
  orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(sql`${dialect.anyOf(webhookDeliveries.id, p.ids)} ${dialect.heldAlone}`),
);

const ended = write.all<Ids, Found>('webhookRetention.ended', (builder, p) => {
  const { webhookDeliveries } = builder.tables;
  return builder.orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(builder.dialect.anyOf(webhookDeliveries.id, p.ids), hasEnded(builder)));
});

const removeAttempts = write.run<Ids>(
  'webhookRetention.removeAttempts',
  ({ orm, tables: { webhookAttempts }, dialect }, p) =>
    orm.delete(webhookAttempts).where(dialect.anyOf(webhookAttempts.deliveryId, p.ids)),
);

const removeDeliveries = write.run<Ids>(
  'webhookRetention.removeDeliveries',
  ({ orm, tables: { webhookDeliveries }, dialect }, p) =>
    orm.delete(webhookDeliveries).where(dialect.anyOf(webhookDeliveries.id, p.ids)),
);

/** Deletes up to `limit` ended deliveries that were created before a time, with their attempts. Returns the number of deliveries. */
export async function removeOldDeliveries(database: Database, before: Date, limit: number): Promise<number> {
  const ids = idsOf(await old(database, { before, limit }));
  return ids.length === 0 ? 0 : database.transaction((tx) => removeEnded(tx, ids));
}

/** Checks again which deliveries have ended, since another attempt may have been requested after they were read. */
async function removeEnded(tx: Transaction, candidates: readonly number[]): Promise<number> {
  // From here on, a new attempt waits. A separate statement also sees those whose transactions the lock has waited for.
  await hold(tx, { ids: candidates });
  const ids = idsOf(await ended(tx, { ids: candidates }));
  await removeAttempts(tx, { ids });
  await removeDeliveries(tx, { ids });
  return ids.length;
}

const idsOf = (rows: readonly Found[]): readonly number[] => rows.map(({ id }) => id);
