/**
 * What can happen, as subject and past participle. Clients filter by it, so a type never changes its meaning, and one that
 * is not here is refused.
 *
 * `scope` is what the event takes to be seen, beside `read:feed` and whatever the subject itself asks: the scope by which the
 * subject is read. An event tells much of its subject.
 */
export const EVENT_CATALOGUE = {
  'order.created': { scope: 'read:orders' },
  'order.updated': { scope: 'read:orders' },
  'order.cancelled': { scope: 'read:orders' },
  'order.shipped': { scope: 'read:orders' },
  'order.deleted': { scope: 'read:orders' },
  'document.created': { scope: 'read:docs' },
  'document.updated': { scope: 'read:docs' },
  'document.deleted': { scope: 'read:docs' },
  'document.shared': { scope: 'read:docs' },
  'document.unshared': { scope: 'read:docs' },
  'charge.succeeded': { scope: 'read:charges' },
  'charge.failed': { scope: 'read:charges' },
  'charge.refunded': { scope: 'read:charges' },
  'user.added': { scope: 'read:users' },
  'user.updated': { scope: 'read:users' },
  'user.role_changed': { scope: 'read:users' },
  'user.removed': { scope: 'read:users' },
  'session.revoked': { scope: 'read:users' },
  'api_key.created': { scope: 'manage:api-keys' },
  'api_key.revoked': { scope: 'manage:api-keys' },
  'webhook.created': { scope: 'manage:webhooks' },
  'webhook.updated': { scope: 'manage:webhooks' },
  'webhook.secret_rotated': { scope: 'manage:webhooks' },
  'webhook.disabled': { scope: 'manage:webhooks' },
  'webhook.deleted': { scope: 'manage:webhooks' },
} as const;

export type EventType = keyof typeof EVENT_CATALOGUE;

// `Object.keys` knows nothing of the names that a literal has.
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as readonly EventType[];

const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

export const isEventType = (value: unknown): value is EventType => KNOWN.has(value);
