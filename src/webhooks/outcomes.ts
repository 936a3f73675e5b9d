/** Records the outcome of an attempt and its consequence: the delivery is accepted, retried or given up. */
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { retryAfterOf } from '../core/retry-after.ts';
import type { Transaction } from '../db/database.ts';
import { type AttemptToMake, finishAttempt, insertAttempts } from '../db/queries/webhook-attempts.ts';
import { acceptDelivery, giveUpDelivery } from '../db/queries/webhook-deliveries.ts';
import { disableWebhook, noteGoodWebhook, webhooks } from '../db/queries/webhooks.ts';
import type { AttemptError, DisablingReason, WebhookDeliveryRow } from '../db/rows.ts';
import { record } from '../events/record.ts';
import type { WebhookOutcome } from '../observability/metrics.ts';
import { pauseBefore } from './schedule.ts';
import type { Outcome } from './sender.ts';

interface OutcomeOptions {
  readonly clock: Clock;
  /** Milliseconds before each attempt. */
  readonly schedule: readonly number[];
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** 410 Gone is permanent (RFC 9110, section 15.5.11). */
const GONE = 410;

/** Errors that no further attempt could change. */
const FINAL: ReadonlySet<AttemptError | null> = new Set<AttemptError>(['event_gone']);

/**
 * Writes everything in the caller's transaction.
 *
 * @param durationMs null for an attempt that was not made.
 * @returns the result of the attempt; undefined if another instance has claimed it in the meantime.
 */
export async function writeOutcome(
  tx: Transaction,
  { attempt, url: sentTo }: AttemptToMake,
  outcome: Outcome,
  durationMs: number | null,
  { clock, schedule, random }: OutcomeOptions,
): Promise<WebhookOutcome | undefined> {
  const now = clock();
  const { org, deliveryId, webhookId, number, retriesLeft } = attempt;
  const webhook = { org, id: webhookId };
  const { error, status, answer } = outcome;
  const written = await finishAttempt(tx, {
    org,
    id: attempt.id,
    claims: attempt.claims,
    finishedAt: now,
    durationMs,
    httpStatus: status,
    error,
    answer,
  });
  if (!written) return undefined;
  if (error === null) {
    await acceptDelivery(tx, { org, id: deliveryId }, now);
    await noteGoodWebhook(tx, {
      ...webhook,
      now,
      unlessSince: new Date(now.getTime() - LIMITS.webhookGoodInterval),
    });
    return 'delivered';
  }
  // The URL may have been changed while the message was being sent: then the next attempt is for another receiver.
  const isGone = status === GONE && (await webhooks.find(tx, org, webhookId))?.url === sentTo;
  if (retriesLeft > 0 && !isGone && !FINAL.has(error)) {
    const pause = pauseBefore(schedule, retriesLeft, random(), retryAfterOf(outcome.retryAfter, now));
    const dueAt = new Date(now.getTime() + pause);
    const next = { number: number + 1, trigger: 'schedule', retriesLeft: retriesLeft - 1, dueAt } as const;
    await insertAttempts(tx, [{ org, deliveryId, webhookId, ...next }]);
    return error === 'target_refused' ? 'refused' : 'failed';
  }
  const givenUp = await giveUpDelivery(tx, { org, id: deliveryId }, now);
  const disabling = disablingBy(isGone, error, givenUp, now);
  if (disabling && (await disableWebhook(tx, { ...webhook, sentTo, now, ...disabling }))) {
    const data = { reason: disabling.disabledReason };
    await record(tx, { org, type: 'webhook.disabled', actorId: null, subjectId: webhookId, data }, clock);
  }
  return isGone ? 'gone' : 'given_up';
}

/**
 * Returns why to disable the webhook, undefined if it stays enabled. Giving up a message disables it, unless the receiver has
 * accepted another message since this one was created: then only this message is the problem.
 */
function disablingBy(
  isGone: boolean,
  error: AttemptError,
  givenUp: WebhookDeliveryRow | undefined,
  now: Date,
): { readonly disabledReason: DisablingReason; readonly unlessGoodAfter: Date } | undefined {
  if (isGone) return { disabledReason: 'gone', unlessGoodAfter: now };
  if (!givenUp || FINAL.has(error)) return undefined;
  return { disabledReason: 'failing', unlessGoodAfter: givenUp.createdAt };
}
