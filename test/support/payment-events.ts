/** Signed messages of payment providers. */
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { signMessage } from '../../src/core/signatures.ts';
import { PAYMENT_EVENTS_SECRET, STRIPE_WEBHOOK_SECRET, type TestApp } from './app.ts';

export interface EventOptions {
  readonly id?: string;
  readonly secrets?: readonly string[];
  /** The time of the signature, in milliseconds after the server's current time. */
  readonly later?: number;
}

/** Signs an event as Standard Webhooks specifies. */
export function signedEvent(
  app: TestApp,
  event: { readonly type: string; readonly data: unknown },
  { id = `msg_${randomUUID()}`, secrets = [PAYMENT_EVENTS_SECRET], later = 0 }: EventOptions = {},
) {
  const at = new Date(app.clock().getTime() + later);
  const text = JSON.stringify({ type: event.type, timestamp: at.toISOString(), data: event.data });
  const headers: Record<string, string> = { ...signMessage(secrets, id, at, text) };
  return { text, headers };
}

/** Signs an event about a Stripe object. */
export function signedStripeEvent(
  app: TestApp,
  { type, object }: { readonly type: string; readonly object: object },
  { id = `evt_${randomUUID()}`, ...options }: EventOptions = {},
) {
  return signedStripeBody(app, JSON.stringify({ id, object: 'event', type, data: { object } }), options);
}

/** Signs any body with Stripe's own package. The header has a signature for each secret. */
export function signedStripeBody(
  app: TestApp,
  text: string,
  { secrets = [STRIPE_WEBHOOK_SECRET], later = 0 }: Omit<EventOptions, 'id'> = {},
) {
  const timestamp = Math.floor((app.clock().getTime() + later) / 1000);
  const signatures = secrets.map((secret) =>
    Stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }).replace(/^t=\d+,/, ''),
  );
  return { text, headers: { 'stripe-signature': [`t=${timestamp}`, ...signatures].join(',') } };
}
