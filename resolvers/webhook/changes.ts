import { recordChange } from '../../src/auth/changes.ts';
import { requireTypes } from '../../src/auth/event-types.ts';
import { aboutWebhook } from '../../src/auth/webhook-data.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { newSigningSecret } from '../../src/core/signatures.ts';
import { problemWithUri } from '../../src/core/uri.ts';
import { requireVersion, type Versions } from '../../src/core/versions.ts';
import type { Transaction } from '../../src/db/database.ts';
import { newestEventId } from '../../src/db/queries/events.ts';
import { queueForMembers } from '../../src/db/queries/members.ts';
import { unfinishedTypes } from '../../src/db/queries/webhook-attempts.ts';
import {
  countWebhooks,
  holdWebhook,
  insertWebhook,
  removeWebhook,
  replaceWebhookSecret,
  updateWebhook,
  type VisibleWebhook,
  webhooks,
} from '../../src/db/queries/webhooks.ts';
import { EVENT_TYPES, type EventType, isTypePattern, matchesPattern } from '../../src/events/catalogue.ts';
import type {
  CreateWebhookInput,
  MutationDeleteWebhookArgs,
  MutationUpdateWebhookArgs,
  UpdateWebhookInput,
} from '../../src/generated/resolvers.ts';
import { vaultPath } from '../../src/webhooks/secrets.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { requireOwn, requireOwnId } from '../shared/lookup.ts';

/** A new webhook with its secret, which is shown only once. */
export type CreatedWebhook = VisibleWebhook & { readonly secret: string };

/** The new secret of the webhook with this id, which is shown only once, and the end of the former one. */
export type CreatedWebhookSecret = Pick<CreatedWebhook, 'id' | 'secret'> & {
  readonly formerSecretUntil: Date;
};

/**
 * Creates a webhook. Its first event is its own creation.
 *
 * @throws ApiError `validation_failed`, `insufficient_scope` for events that the caller may not read, `conflict` when the organisation
 *   has the maximum number of webhooks.
 */
export async function createWebhook(context: Context, input: CreateWebhookInput): Promise<CreatedWebhook> {
  const { org } = callerOf(context);
  const { url, types } = await checked(context, input);
  requireTypes(callerOf(context), typesMatching(types));
  const secret = newSigningSecret();
  return context.work.commit(async (tx) => {
    // No concurrent transaction adds a webhook after this.
    await queueForMembers(tx, { org });
    if ((await countWebhooks(tx, org)) >= LIMITS.webhooks) {
      throw conflict(`Your organisation has ${LIMITS.webhooks} webhooks, which is the maximum.`);
    }
    const lastEventId = await newestEventId(tx, org);
    const row = await insertWebhook(
      tx,
      { org, url, types, appId: appOf(context), lastEventId, now: context.clock() },
      (inserted) => context.vault.seal(secret, vaultPath(inserted)),
    );
    await recordEvent(tx, context, 'webhook.created', row);
    return { ...row, secret };
  });
}

/**
 * Changes a webhook. An update without a difference creates no new version.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`, `validation_failed`, `insufficient_scope` for events that the caller may
 *   not read.
 */
export async function changeWebhook(
  context: Context,
  { id, input, ifVersion: versions = null }: MutationUpdateWebhookArgs,
): Promise<VisibleWebhook> {
  const { id: webhookId, url: kept } = await requireOwn(context, id, webhooks);
  const { url, types } = await checked(context, input, kept);
  return context.database.transaction(async (tx) => {
    const before = await hold(tx, context, webhookId, versions);
    const change = {
      url: url ?? before.url,
      types: types ?? before.types,
      appId: isSameTarget(url ?? before.url, before.url) ? before.appId : appOf(context),
      ...stateAfter(context, before, input),
    };
    if (changesNothing(before, change)) return before;
    requireTypes(callerOf(context), await redirectedTypes(tx, before, change));
    const { org } = before;
    const changed = await updateWebhook(tx, { org, id: webhookId, ...change, now: context.clock() });
    await recordEvent(tx, context, 'webhook.updated', changed);
    return changed;
  });
}

/** The event types whose messages a change sends to another URL than before: of unfinished attempts as well, if it changes the URL. */
async function redirectedTypes(
  tx: Transaction,
  before: VisibleWebhook,
  { url, types }: Pick<VisibleWebhook, 'url' | 'types'>,
): Promise<readonly string[]> {
  const matching = typesMatching(types);
  if (isSameTarget(url, before.url)) return matching.filter((type) => !matchesPattern(before.types, type));
  const unfinished = await unfinishedTypes(tx, { org: before.org, webhookId: before.id });
  return [...matching, ...unfinished.map(({ eventType }) => eventType)];
}

/** Whether both are the same URL, in whatever form: earlier versions stored a normalised one. */
const isSameTarget = (url: string, other: string) => URL.parse(url)?.href === URL.parse(other)?.href;

/** The app to which messages go because of this caller: they end with its installation. */
const appOf = (context: Context) => callerOf(context).grant?.appId ?? null;

const typesMatching = (patterns: readonly string[]) =>
  EVENT_TYPES.filter((type) => matchesPattern(patterns, type));

/** The state after the change. A webhook that is already disabled keeps its reason. */
function stateAfter(context: Context, before: VisibleWebhook, { enabled }: UpdateWebhookInput) {
  const { disabledAt, disabledReason, lastGoodAt } = before;
  const now = context.clock();
  if (enabled === true && disabledAt) return { disabledAt: null, disabledReason: null, lastGoodAt: now };
  if (enabled === false && !disabledAt) {
    return { disabledAt: now, disabledReason: 'by_hand', lastGoodAt } as const;
  }
  return { disabledAt, disabledReason, lastGoodAt };
}

/**
 * Deletes a webhook. Idempotent: a repetition writes no second event.
 *
 * @throws ApiError `not_found` for a webhook that never existed, `forbidden`, `precondition_failed`.
 */
export async function deleteWebhook(
  context: Context,
  { id, ifVersion: versions = null }: MutationDeleteWebhookArgs,
): Promise<number> {
  const { org } = callerOf(context);
  const webhookId = await requireOwnId(context, id, webhooks);
  await context.database.transaction(async (tx) => {
    const row = await holdWebhook(tx, { org, id: webhookId });
    if (!row) return;
    requireVersion(row, versions);
    await removeWebhook(tx, { ...row, now: context.clock() });
    await recordEvent(tx, context, 'webhook.deleted', row);
  });
  return webhookId;
}

/**
 * Replaces the signing secret of a webhook. The previous one stays valid for `LIMITS.webhookSecretOverlap`.
 *
 * @throws ApiError `not_found`, `forbidden`.
 */
export async function createSecret(context: Context, id: string | number): Promise<CreatedWebhookSecret> {
  const { id: webhookId } = await requireOwn(context, id, webhooks);
  const secret = newSigningSecret();
  const now = context.clock();
  const formerSecretUntil = new Date(now.getTime() + LIMITS.webhookSecretOverlap);
  return context.work.commit(async (tx) => {
    const webhook = await hold(tx, context, webhookId, null);
    const { org } = webhook;
    const sealed = context.vault.seal(secret, vaultPath(webhook));
    const row = await replaceWebhookSecret(tx, {
      org,
      id: webhookId,
      secret: sealed,
      formerSecretUntil,
      now,
    });
    await recordEvent(tx, context, 'webhook.secret_rotated', row);
    return { id: webhookId, secret, formerSecretUntil };
  });
}

/** Records the event of a changed webhook, and returns its id. */
export const recordEvent = (
  tx: Transaction,
  context: Context,
  type: Exclude<Extract<EventType, `webhook.${string}`>, 'webhook.disabled'>,
  webhook: VisibleWebhook,
): Promise<number> => recordChange(tx, callerOf(context), { type, ...aboutWebhook(webhook) }, context.clock);

/**
 * Locks the row of a webhook.
 *
 * @throws ApiError `not_found` for a webhook that has been deleted since, `precondition_failed`.
 */
export async function hold(
  tx: Transaction,
  context: Context,
  id: number,
  versions: Versions,
): Promise<VisibleWebhook> {
  const row = await holdWebhook(tx, { org: callerOf(context).org, id });
  if (!row) throw new ApiError('not_found');
  requireVersion(row, versions);
  return row;
}

/**
 * The validated input, without duplicate types. Omitted members stay omitted.
 *
 * @param kept the present URL, which need not be a URI: it may be from before that rule.
 */
async function checked<Input extends CreateWebhookInput | UpdateWebhookInput>(
  { targets }: Context,
  { url, types }: Input,
  kept?: string,
): Promise<Pick<Input, 'url' | 'types'>> {
  const details: ErrorDetail[] = [];
  const problem =
    url == null
      ? undefined
      : ((await targets.problemWith(url)) ?? (url === kept ? undefined : problemWithUri(url)));
  if (problem) details.push({ path: 'input.url', message: problem });
  if (types?.length === 0) details.push({ path: 'input.types', message: 'must have at least one element' });
  for (const [index, type] of (types ?? []).entries()) {
    if (isTypePattern(type)) continue;
    const message = 'must be an event type, a pattern such as order.*, or *';
    details.push({ path: `input.types.${index}`, message });
  }
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  // Only duplicates are removed, no members, so the type of the input still holds.
  return {
    ...(url != null && { url }),
    ...(types && { types: [...new Set(types)] }),
  } as Pick<Input, 'url' | 'types'>;
}

export const conflict = (message: string) => new ApiError('conflict', { message });
