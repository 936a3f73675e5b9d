/** Webhooks. Their deliveries are in `webhook-deliveries.ts` and `webhook-attempts.ts`. */
import type { Runner, Transaction } from '../database.ts';
import { and, asc, eq, getTableColumns, gt, isNull, lt, lte, or, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { WebhookRow } from '../rows.ts';
import { asStored, equal, given, type Placeholders, statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, nextVersion, updateIn } from './shared/changing.ts';
import { countIn, isRow, lookupIn, rowsIn } from './shared/owned.ts';

/** A webhook without its signing secrets. */
export type VisibleWebhook = Omit<WebhookRow, 'secret' | 'formerSecret'>;

type WebhookChange = Pick<
  WebhookRow,
  'org' | 'id' | 'url' | 'types' | 'appId' | 'disabledAt' | 'disabledReason' | 'lastGoodAt'
> & { readonly now: Date };

/** An encrypted secret. */
type NewSecret = Pick<WebhookRow, 'org' | 'id' | 'secret'> &
  Readonly<Record<'formerSecretUntil' | 'now', Date>>;

function visible(webhooks: Tables['webhooks']) {
  const { secret: _, formerSecret: __, ...columns } = getTableColumns(webhooks);
  return columns;
}

/** Webhooks that were not deleted, without their secrets. */
const present = { columns: visible, only: ({ deletedAt }: Tables['webhooks']) => [isNull(deletedAt)] };

const insert = insertIn('webhooks', ['org', 'url', 'types', 'appId', 'lastEventId'], {
  at: ['lastGoodAt', 'createdAt', 'updatedAt'],
  fixed: { secret: '' },
  columns: visible,
});

const setSecret = updateIn('webhooks.setSecret', 'webhooks', ['secret'], { columns: ({ id }) => ({ id }) });

/** The webhook with this id in this organisation, locked until the end of the transaction. */
export const holdWebhook = updateIn('webhooks.hold', 'webhooks', [], {
  set: ({ version }) => ({ version: sql`${version}` }),
  ...present,
});

/**
 * Locks all webhooks of an organisation until the end of the transaction: before its lock, as changes of a webhook do. Afterwards no other
 * transaction can be changing one of them.
 */
export const holdWebhooks = write.run<{ org: string }>(
  'webhooks.holdAll',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({ version: sql`${webhooks.version}` })
      .where(and(eq(webhooks.org, p.org), isNull(webhooks.deletedAt))),
);

/** Changes a locked webhook. */
export const updateWebhook = write.only<WebhookChange, VisibleWebhook>(
  'webhooks.update',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({
        ...given(p, 'url', 'types', 'appId', 'disabledAt', 'disabledReason', 'lastGoodAt'),
        ...nextVersion(webhooks),
        updatedAt: p.now,
      })
      .where(isRow(webhooks, p))
      .returning(visible(webhooks)),
);

/** Replaces the secret of a locked webhook. The former secret also signs messages until `formerSecretUntil`. */
export const replaceWebhookSecret = write.only<NewSecret, VisibleWebhook>(
  'webhooks.replaceSecret',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({
        ...given(p, 'formerSecretUntil', 'secret'),
        formerSecret: sql`${webhooks.secret}`,
        ...nextVersion(webhooks),
        updatedAt: p.now,
      })
      .where(isRow(webhooks, p))
      .returning(visible(webhooks)),
);

/** Deletes a locked webhook. */
export const removeWebhook = updateIn('webhooks.remove', 'webhooks', [], {
  at: ['deletedAt', 'updatedAt'],
  fixed: { url: '', secret: '', formerSecret: null, formerSecretUntil: null },
  set: nextVersion,
  columns: visible,
});

/**
 * Disables an enabled webhook that still has the URL of a message and has had no success since a time. Returns it to exactly one of several
 * concurrent callers.
 */
export const disableWebhook = updateIn('webhooks.disable', 'webhooks', ['disabledReason'], {
  at: ['disabledAt', 'updatedAt'],
  set: nextVersion,
  only: (
    { disabledAt, deletedAt, lastGoodAt, url },
    p: Placeholders<{ sentTo: string; unlessGoodAfter: Date }>,
  ) => [
    isNull(disabledAt),
    isNull(deletedAt),
    // Its URL may have been changed while the message was being sent.
    eq(url, p.sentTo),
    lte(lastGoodAt, p.unlessGoodAfter),
  ],
  columns: visible,
});

/** Updates when a webhook was last known to work, unless that was updated since a given time. */
export const noteGoodWebhook = updateIn('webhooks.noteGood', 'webhooks', [], {
  at: ['lastGoodAt'],
  only: ({ lastGoodAt }, p: Placeholders<{ unlessSince: Date }>) => [lt(lastGoodAt, p.unlessSince)],
  columns: visible,
});

export const webhooks = lookupIn('webhooks', present);
export const webhooksAfter = rowsIn('webhooks', 'after', present);

/** The webhooks that an app gave their URL. */
export const webhooksOfApp = read.all<{ org: string; appId: number }, VisibleWebhook>(
  'webhooks.ofApp',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .select(visible(webhooks))
      .from(webhooks)
      .where(and(equal(webhooks, p, 'org', 'appId'), isNull(webhooks.deletedAt)))
      .orderBy(asc(webhooks.id)),
);

export const countWebhooks = countIn('webhooks', present);

/** Inserts a webhook, which receives events after `lastEventId`. @param sealedSecret returns the encrypted secret, which depends on the row's id. */
export async function insertWebhook(
  tx: Transaction,
  webhook: Parameters<typeof insert>[1],
  sealedSecret: (row: VisibleWebhook) => string,
): Promise<VisibleWebhook> {
  const row = await insert(tx, webhook);
  await setSecret(tx, { org: row.org, id: row.id, secret: sealedSecret(row) });
  return row;
}

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
