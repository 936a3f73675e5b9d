/** Webhooks. Their deliveries are in `webhook-deliveries.ts` and `webhook-attempts.ts`. */

import type { Transaction } from '../database.ts';
import { getTableColumns, isNull, lt, lte, sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { DisablingReason, WebhookRow } from '../rows.ts';
import { asStored, nextVersion, statement, stored } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn } from './shared/changing.ts';
import { countIn, findIn, isRow, ownerIn, rowsAfterIn } from './shared/owned.ts';

/** A webhook without its signing secrets. */
export type VisibleWebhook = Omit<WebhookRow, 'secret' | 'formerSecret'>;

type WebhookChange = Pick<
  WebhookRow,
  'org' | 'id' | 'url' | 'types' | 'disabledAt' | 'disabledReason' | 'lastGoodAt'
> & { readonly now: Date };

/** An encrypted secret. */
type NewSecret = Pick<WebhookRow, 'org' | 'id' | 'secret'> &
  Readonly<Record<'formerSecretUntil' | 'now', Date>>;

interface Disabling {
  readonly org: string;
  readonly id: number;
  readonly reason: DisablingReason;
  /** The webhook is not disabled if it was known to work after this time. */
  readonly unlessGoodAfter: Date;
  readonly now: Date;
}

function visible(webhooks: Tables['webhooks']) {
  const { secret: _, formerSecret: __, ...columns } = getTableColumns(webhooks);
  return columns;
}

const insert = insertIn('webhooks', ['org', 'url', 'types', 'lastEventId'], {
  at: ['lastGoodAt', 'createdAt', 'updatedAt'],
  fixed: { secret: '' },
  columns: visible,
});

const setSecret = statement<{ org: string; id: number; secret: string }, unknown>(
  'webhooks.setSecret',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({ secret: asStored(p.secret, webhooks.secret) })
      .where(isRow(webhooks, p)),
);

/** The webhook with this id in this organisation, locked until the end of the transaction. */
export const holdWebhook = write.first<{ org: string; id: number }, VisibleWebhook>(
  'webhooks.hold',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({ version: sql`${webhooks.version}` })
      .where(isRow(webhooks, p, isNull(webhooks.deletedAt)))
      .returning(visible(webhooks)),
);

/** Changes a locked webhook. */
export const updateWebhook = write.only<WebhookChange, VisibleWebhook>(
  'webhooks.update',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({
        ...stored(webhooks, p, 'url', 'types', 'disabledAt', 'disabledReason', 'lastGoodAt'),
        ...nextVersion(webhooks, p.now),
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
        ...stored(webhooks, p, 'formerSecretUntil', 'secret'),
        formerSecret: sql`${webhooks.secret}`,
        ...nextVersion(webhooks, p.now),
      })
      .where(isRow(webhooks, p))
      .returning(visible(webhooks)),
);

/** Deletes a locked webhook. */
export const removeWebhook = write.run<{ org: string; id: number; now: Date }>(
  'webhooks.remove',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({
        url: '',
        secret: '',
        formerSecret: null,
        formerSecretUntil: null,
        deletedAt: asStored(p.now, webhooks.deletedAt),
        ...nextVersion(webhooks, p.now),
      })
      .where(isRow(webhooks, p)),
);

/** Disables an enabled webhook that has had no success since a time. Returns it to exactly one of several concurrent callers. */
export const disableWebhook = write.first<Disabling, VisibleWebhook>(
  'webhooks.disable',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({
        disabledAt: asStored(p.now, webhooks.disabledAt),
        disabledReason: asStored(p.reason, webhooks.disabledReason),
        ...nextVersion(webhooks, p.now),
      })
      .where(
        isRow(
          webhooks,
          p,
          isNull(webhooks.disabledAt),
          isNull(webhooks.deletedAt),
          lte(webhooks.lastGoodAt, asStored(p.unlessGoodAfter, webhooks.lastGoodAt)),
        ),
      )
      .returning(visible(webhooks)),
);

/** Updates when a webhook was last known to work, unless that was updated since a given time. */
export const noteGoodWebhook = write.run<{ org: string; id: number; now: Date; unlessSince: Date }>(
  'webhooks.noteGood',
  ({ orm, tables: { webhooks } }, p) =>
    orm
      .update(webhooks)
      .set({ lastGoodAt: asStored(p.now, webhooks.lastGoodAt) })
      .where(isRow(webhooks, p, lt(webhooks.lastGoodAt, asStored(p.unlessSince, webhooks.lastGoodAt)))),
);

/** Webhooks that were not deleted, without their secrets. */
const present = { columns: visible, only: ({ deletedAt }: Tables['webhooks']) => [isNull(deletedAt)] };

export const findWebhook = findIn('webhooks', present);
export const webhooksAfter = rowsAfterIn('webhooks', present);
export const orgOfWebhook = ownerIn('webhooks');
export const countWebhooks = countIn('webhooks', present);

/** Inserts a webhook, which receives events after `lastEventId`. @param sealedSecret returns the encrypted secret, which depends on the row's id. */
export async function insertWebhook(
  tx: Transaction,
  webhook: Parameters<typeof insert>[1],
  sealedSecret: (row: VisibleWebhook) => string,
): Promise<VisibleWebhook> {
  const row = await insert(tx, webhook);
  await tx.run(setSecret, { org: row.org, id: row.id, secret: sealedSecret(row) });
  return row;
}
