/** Messages as Stripe sends them, signed by its own package. */
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { STRIPE_WEBHOOK_SECRET, type TestApp } from './app.ts';

export interface StripeEventOptions {
  readonly id?: string;
  /** Each makes a signature of its own in the header. */
  readonly secrets?: readonly string[];
  /** Milliseconds after the server's present that the message was signed. */
  readonly later?: number;
}

/** An event about an object of Stripe's. */
export function signedStripeEvent(
  app: TestApp,
  { type, object }: { readonly type: string; readonly object: object },
  { id = `evt_${randomUUID()}`, ...options }: StripeEventOptions = {},
) {
  return signedStripeBody(app, JSON.stringify({ id, object: 'event', type, data: { object } }), options);
}

/** Any body. */
export function signedStripeBody(
  app: TestApp,
  text: string,
  { secrets = [STRIPE_WEBHOOK_SECRET], later = 0 }: Omit<StripeEventOptions, 'id'> = {},
) {
  const timestamp = Math.floor((app.clock().getTime() + later) / 1000);
  const signatures = secrets.map((secret) =>
    Stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }).replace(/^t=\d+,/, ''),
  );
  return { text, headers: { 'stripe-signature': [`t=${timestamp}`, ...signatures].join(',') } };
}
