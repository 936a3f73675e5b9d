import { holdRights, recordChange } from '../../src/auth/changes.ts';
import { requireTypes } from '../../src/auth/event-types.ts';
import { actorIdOf } from '../../src/auth/policy.ts';
import { aboutWebhook } from '../../src/auth/webhook-data.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { newSigningSecret } from '../../src/core/signatures.ts';
import { problemWithUri } from '../../src/core/uri.ts';
import { requireVersion, type Versions } from '../../src/core/versions.ts';
import type { Transaction } from '../../src/db/database.ts';
import { events, newestEventId } from '../../src/db/queries/events.ts';
import { queueForMembers } from '../../src/db/queries/members.ts';
import {
  attemptsAt,
  expediteAttempt,
  insertAttempts,
  unfinishedTypes,
} from '../../src/db/queries/webhook-attempts.ts';
import { findDelivery, orgOfDelivery } from '../../src/db/queries/webhook-deliveries.ts';
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
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';
import { recordAudit } from '../../src/events/audit.ts';
import { EVENT_TYPES, isTypePattern, matchesPattern } from '../../src/events/catalogue.ts';
import { logPosition } from '../../src/events/log-position.ts';
import type {
  CreateWebhookInput,
  MutationCreateWebhookAttemptArgs,
  MutationDeleteWebhookArgs,
  MutationUpdateWebhookArgs,
  UpdateWebhookInput,
} from '../../src/generated/resolvers.ts';
import { deliverEvents } from '../../src/webhooks/deliveries.ts';
import { SCHEDULE } from '../../src/webhooks/schedule.ts';
import { vaultPath } from '../../src/webhooks/secrets.ts';
import type { ActivityNode } from '../activity/log.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, requireId, requireOwn, requireOwnId } from '../shared/lookup.ts';

/** A new webhook with its secret, which is shown only once. */
type CreatedWebhook = VisibleWebhook & { readonly secret: string };

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
    const event = { type: 'webhook.created', ...aboutWebhook(row) } as const;
    await recordChange(tx, callerOf(context), event, context.clock);
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
    const event = { type: 'webhook.updated', ...aboutWebhook(changed) } as const;
    await recordChange(tx, callerOf(context), event, context.clock);
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
    const event = { type: 'webhook.deleted', ...aboutWebhook(row) } as const;
    await recordChange(tx, callerOf(context), event, context.clock);
  });
  return webhookId;
}

/**
 * Replaces the signing secret of a webhook. The previous one stays valid for `LIMITS.webhookSecretOverlap`.
 *
 * @throws ApiError `not_found`, `forbidden`.
 */
export async function createSecret(
  context: Context,
  id: string | number,
): Promise<{ readonly id: number; readonly secret: string; readonly formerSecretUntil: Date }> {
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
    const event = { type: 'webhook.secret_rotated', ...aboutWebhook(row) } as const;
    await recordChange(tx, callerOf(context), event, context.clock);
    return { id: webhookId, secret, formerSecretUntil };
  });
}

/**
 * Schedules a redelivery of a message. No event is recorded, since nothing changes in the organisation and the event would itself
 * be another message to send.
 *
 * @throws ApiError `not_found`, `forbidden`, `insufficient_scope` for an event that the caller may not read: the URL may have changed since
 *   the first attempt; `conflict` for a disabled webhook, while an attempt is in progress, and after the maximum number of attempts.
 */
export async function redeliver(
  context: Context,
  { webhookId: id, deliveryId }: MutationCreateWebhookAttemptArgs,
): Promise<WebhookAttemptRow> {
  const { id: webhookId } = await requireOwn(context, id, webhooks);
  return context.work.commit(async (tx) => {
    const webhook = await hold(tx, context, webhookId, null);
    // Locked after the row of the webhook, in the same order as where an event is recorded.
    await holdRights(tx, callerOf(context));
    const { id: delivery, eventType } = await requireDelivery(tx, webhook, deliveryId);
    requireTypes(callerOf(context), [eventType]);
    if (webhook.disabledAt) throw conflict('The webhook is disabled: enable it first.');
    const { org } = webhook;
    const now = context.clock();
    const expedited = await expediteAttempt(tx, { org, deliveryId: delivery, now });
    const attempt = expedited ?? (await addAttempt(tx, webhook, delivery, now));
    const actorId = actorIdOf(callerOf(context));
    const data = { delivery_id: delivery };
    const entry = { org, type: 'webhook.redelivered', actorId, subjectId: webhookId, data } as const;
    await recordAudit(tx, entry, context.clock);
    return attempt;
  });
}

/** Adds an attempt at a delivery of which none is scheduled. @throws ApiError `conflict`. */
async function addAttempt(
  tx: Transaction,
  { org, id: webhookId }: VisibleWebhook,
  deliveryId: number,
  now: Date,
): Promise<WebhookAttemptRow> {
  const attempts = await attemptsAt(tx, { org, deliveryIds: [deliveryId] });
  if (attempts.some(({ finishedAt }) => finishedAt === null)) throw conflict('An attempt is in progress.');
  if (attempts.length >= LIMITS.webhookAttempts) {
    throw conflict(`This delivery has had the maximum of ${LIMITS.webhookAttempts} attempts.`);
  }
  const number = attempts.length + 1;
  const next = { number, trigger: 'redelivery', retriesLeft: 0, dueAt: now } as const;
  const [row] = await insertAttempts(tx, [{ org, deliveryId, webhookId, ...next }]);
  if (!row) throw new Error('The insert of an attempt returned no row.');
  return row;
}

/**
 * Sends a test event to one webhook. It is delivered like any other event, so that the receiver is tested under real conditions.
 *
 * @throws ApiError `not_found`, `forbidden`, `conflict` for a disabled webhook.
 */
export async function testWebhook(context: Context, id: string | number): Promise<ActivityNode> {
  const { id: webhookId } = await requireOwn(context, id, webhooks);
  return context.work.commit(async (tx) => {
    const webhook = await hold(tx, context, webhookId, null);
    if (webhook.disabledAt) throw conflict('The webhook is disabled: enable it first.');
    const event = { type: 'webhook.tested', ...aboutWebhook(webhook) } as const;
    const eventId = await recordChange(tx, callerOf(context), event, context.clock);
    const row = await events.find(tx, webhook.org, eventId);
    if (!row) throw new Error('A recorded event was not found.');
    // The dispatcher skips it. It is created here, so that the response can name it.
    await deliverEvents(tx, webhook, [row], SCHEDULE.length, context.clock());
    return { ...row, cursor: logPosition.seal(context.cursors, row.org, row) };
  });
}

async function requireDelivery(
  tx: Transaction,
  webhook: VisibleWebhook,
  deliveryId: string | number,
): Promise<WebhookDeliveryRow> {
  const id = requireId(deliveryId);
  const delivery = await findDelivery(tx, { org: webhook.org, webhookId: webhook.id, id });
  if (delivery) return delivery;
  throw await absence(tx, webhook.org, id, { orgOf: orgOfDelivery });
}

/**
 * Locks the row of a webhook.
 *
 * @throws ApiError `not_found` for a webhook that has been deleted since, `precondition_failed`.
 */
async function hold(
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

const conflict = (message: string) => new ApiError('conflict', { message });
