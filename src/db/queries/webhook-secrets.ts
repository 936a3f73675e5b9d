/** The stored signing secrets of webhooks, to encrypt them with the newest key. */
import type { Runner } from '../database.ts';
import { and, asc, eq, gt, isNull, or, sql } from '../drizzle/index.ts';
import type { WebhookRow } from '../rows.ts';
import { asStored, type Placeholders, statement } from '../statement.ts';
import { updateIn } from './shared/changing.ts';

export type KeptSecrets = Pick<WebhookRow, 'id' | 'org' | 'secret' | 'formerSecret'>;

const unsealed = statement<
  { afterId: number; prefix: string; prefixLength: number; limit: number },
  readonly KeptSecrets[]
>('webhookSecrets.unsealed', ({ orm, tables: { webhooks } }, p) =>
  orm
    .select({
      id: webhooks.id,
      org: webhooks.org,
      secret: webhooks.secret,
      formerSecret: webhooks.formerSecret,
    })
    .from(webhooks)
    .where(
      and(
        gt(webhooks.id, p.afterId),
        isNull(webhooks.deletedAt),
        or(
          sql`substr(${webhooks.secret}, 1, ${p.prefixLength}) <> ${asStored(p.prefix, webhooks.secret)}`,
          // Without a former secret this is null, and counts as false.
          sql`substr(${webhooks.formerSecret}, 1, ${p.prefixLength}) <> ${asStored(p.prefix, webhooks.secret)}`,
        ),
      ),
    )
    .orderBy(asc(webhooks.id))
    .limit(p.limit),
);

/** Writes the encrypted secrets of a webhook. @param from the stored secret that they replace. */
export const sealWebhookSecrets = updateIn('webhookSecrets.seal', 'webhooks', ['secret', 'formerSecret'], {
  // Not if the secret was replaced since it was read: a replacement is already encrypted.
  only: ({ deletedAt, secret }, p: Placeholders<{ from: string }>) => [isNull(deletedAt), eq(secret, p.from)],
  columns: ({ id }) => ({ id }),
});

/** Up to `limit` webhooks with an id above `afterId` that have a secret without this prefix, in order of id. */
export function unsealedWebhooks(
  db: Runner,
  prefix: string,
  afterId: number,
  limit: number,
): Promise<readonly KeptSecrets[]> {
  return db.run(unsealed, { afterId, prefix, prefixLength: prefix.length, limit });
}
