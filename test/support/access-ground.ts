/** What has to be there for a request that is to succeed, and what such requests send. */
import { randomUUID } from 'node:crypto';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { TestApp } from './app.ts';
import { makeCharge } from './charges.ts';
import type { RequestOptions } from './client.ts';
import type { TestEngine } from './engines.ts';
import { addMember } from './members.ts';
import { placeOrder } from './orders.ts';
import { signedEvent } from './payment-events.ts';
import type { Session } from './shapes.ts';
import { signedStripeEvent } from './stripe-events.ts';
import { addDelivery, addWebhook } from './webhooks.ts';

/** Makes what a request needs, by acme's administrator. Each gives the id of something new. */
export interface Ground {
  /** The id of what a POST makes. */
  create(path: string, body: unknown): Promise<number>;
  order(): Promise<number>;
  charge(): Promise<number>;
  /** An idempotency key that no one has used. */
  key(): string;
  /** A message of the payment provider about a charge that is not there. */
  paymentEvent(): Pick<RequestOptions, 'headers' | 'text'>;
  /** The same as Stripe has it. */
  stripeEvent(): Pick<RequestOptions, 'headers' | 'text'>;
  member(): Promise<number>;
  apiKey(): Promise<number>;
  webhook(): Promise<number>;
  /** A delivery of a webhook, which no one attempts. */
  webhookDelivery(): Promise<{ readonly webhookId: number; readonly deliveryId: number }>;
  document(): Promise<number>;
  /** A document that is shared with vic. */
  sharedDocument(): Promise<number>;
  /** An address that no one has. */
  email(): string;
  /** A session of ed's. */
  refreshToken(): Promise<string>;
}

/** Makes a call anew, and what it is about. */
export type Making<Call> = (ground: Ground) => Call | Promise<Call>;

export function createGround(app: TestApp, engine: TestEngine): Ground {
  let serial = 0;
  let formerWebhook: number | undefined;
  // An organisation has few webhooks at most, and no one asks for the one before again.
  const webhook = async () => {
    if (formerWebhook) await app.request('DELETE', `/v1/webhooks/${formerWebhook}`, { as: 'ada' });
    formerWebhook = (await addWebhook(app)).id;
    return formerWebhook;
  };
  return {
    create: async (path, body) => (await app.post<{ id: number }>(path, { as: 'ada', body })).body.id,
    order: async () => (await placeOrder(app)).id,
    charge: async () => (await makeCharge(app)).id,
    key: () => randomUUID(),
    stripeEvent: () =>
      signedStripeEvent(app, { type: 'payment_intent.succeeded', object: { id: 'pi_none' } }),
    paymentEvent: () => signedEvent(app, { type: 'charge.succeeded', data: { charge_id: 999_999 } }),
    document: () => addDocument(app),
    sharedDocument: async () => {
      const id = await addDocument(app);
      const body = { user_id: VIC, relation: 'reader' };
      await app.post(`/v1/orgs/acme/docs/${id}/shares`, { as: 'ada', body });
      return id;
    },
    apiKey: async () => (await addApiKey(app, ['read:orders'])).id,
    webhook,
    webhookDelivery: async () => {
      const webhookId = await webhook();
      return { webhookId, deliveryId: await addDelivery(engine, webhookId) };
    },
    member: async () => (await addMember(app, 'viewer')).id,
    email: () => {
      serial += 1;
      return `access-${serial}@acme.test`;
    },
    refreshToken: async () => (await app.post<Session>('/v1/auth/login', { body: ED })).body.refresh_token,
  };
}

/** The id of vic. */
export const VIC = 3;
export const DOCUMENT = { title: 'Access', body: 'Who may.', classification: 'internal' };

async function addDocument(app: TestApp): Promise<number> {
  return (await app.post<{ id: number }>('/v1/orgs/acme/docs', { as: 'ada', body: DOCUMENT })).body.id;
}

/** A new key of acme's administrator. */
export async function addApiKey(
  app: TestApp,
  scopes: readonly string[],
): Promise<{ id: number; key: string }> {
  const body = { name: 'access', scopes };
  return (await app.post<{ id: number; key: string }>('/v1/api-keys', { as: 'ada', body })).body;
}

export const ED = { email: 'ed@acme.test', password: DEMO_PASSWORD };
export const WEBHOOK = { url: 'https://hooks.example.com/access', types: ['order.*'] };
export const newcomer = (ground: Ground) => ({
  email: ground.email(),
  name: 'Nia Roth',
  role: 'viewer',
  password: 'long enough',
});
