/**
 * What can happen, as subject and past participle. Clients filter by it, so a type never changes its meaning, and one that
 * is not here is refused.
 */
export const EVENT_TYPES = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'order.shipped',
  'order.deleted',
  'document.created',
  'document.updated',
  'document.deleted',
  'document.shared',
  'document.unshared',
  'charge.succeeded',
  'charge.failed',
  'charge.refunded',
  'user.added',
  'user.updated',
  'user.role_changed',
  'user.removed',
  'session.revoked',
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.deleted',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

export const isEventType = (value: unknown): value is EventType => KNOWN.has(value);
