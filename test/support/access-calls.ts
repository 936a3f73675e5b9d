/**
 * For every operation a request that succeeds for whoever may make it. Each is made anew for each caller who may, since
 * what was deleted once cannot be deleted again.
 */
import { randomUUID } from 'node:crypto';
import { DEMO_PASSWORD } from '../../src/demo/data.ts';
import type { TestApp } from './app.ts';
import { CHARGE, makeCharge } from './charges.ts';
import type { TestEngine } from './engines.ts';
import { addMember } from './members.ts';
import { placeOrder, TWO_LAMPS } from './orders.ts';
import { signedEvent } from './payment-events.ts';
import type { Session } from './shapes.ts';
import { addDelivery, addWebhook } from './webhooks.ts';

/** Makes what a request needs, by acme's administrator. Each gives the id of something new. */
export interface Ground {
  order(): Promise<number>;
  charge(): Promise<number>;
  /** An idempotency key that nobody has used. */
  key(): string;
  /** A message of the payment provider about a charge that is not there. */
  paymentEvent(): RouteCall;
  member(): Promise<number>;
  apiKey(): Promise<number>;
  webhook(): Promise<number>;
  /** A delivery of a webhook, which nobody attempts. */
  webhookDelivery(): Promise<{ readonly webhookId: number; readonly deliveryId: number }>;
  document(): Promise<number>;
  /** A document that is shared with vic. */
  sharedDocument(): Promise<number>;
  /** An address that nobody has. */
  email(): string;
  /** A session of ed's. */
  refreshToken(): Promise<string>;
}

export interface GraphCall {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface RouteCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for what stands in braces in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A body as it is sent. */
  readonly text?: string;
}

type Making<Call> = (ground: Ground) => Call | Promise<Call>;

export function createGround(app: TestApp, engine: TestEngine): Ground {
  let serial = 0;
  let formerWebhook: number | undefined;
  // An organisation has few webhooks at most, and nobody asks for the one before again.
  const webhook = async () => {
    if (formerWebhook) await app.request('DELETE', `/v1/webhooks/${formerWebhook}`, { as: 'ada' });
    formerWebhook = (await addWebhook(app)).id;
    return formerWebhook;
  };
  return {
    order: async () => (await placeOrder(app)).id,
    charge: async () => (await makeCharge(app)).id,
    key: () => randomUUID(),
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

const VIC = 3;
const ACME = { org: 'acme' };
const DOCUMENT = { title: 'Access', body: 'Who may.', classification: 'internal' };

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

const ED = { email: 'ed@acme.test', password: DEMO_PASSWORD };
const WEBHOOK = { url: 'https://hooks.example.com/access', types: ['order.*'] };
const newcomer = (ground: Ground) => ({
  email: ground.email(),
  name: 'Nia Roth',
  role: 'viewer',
  password: 'long enough',
});

/** By root field. */
export const GRAPH_CALLS: Readonly<Record<string, Making<GraphCall>>> = {
  'Query.me': () => ({ document: '{ me { id name } }' }),
  'Query.user': () => ({ document: '{ user(id: 1) { id name } }' }),
  'Query.members': () => ({ document: '{ members(org: "acme") { nodes { id } } }' }),
  'Query.order': () => ({ document: '{ order(id: 1) { id items { id } } }' }),
  'Query.orders': () => ({ document: '{ orders(userId: 1) { nodes { id } } }' }),
  'Query.product': () => ({ document: '{ product(id: 1) { id } }' }),
  'Query.products': () => ({ document: '{ products { nodes { id } } }' }),

  'Mutation.login': () => ({
    document:
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { expiresIn } }',
    variables: ED,
  }),
  'Mutation.refreshSession': async (ground) => ({
    document: 'mutation ($token: String!) { refreshSession(refreshToken: $token) { expiresIn } }',
    variables: { token: await ground.refreshToken() },
  }),
  'Mutation.logout': async (ground) => ({
    document: 'mutation ($token: String!) { logout(refreshToken: $token) }',
    variables: { token: await ground.refreshToken() },
  }),

  'Mutation.updateUser': () => ({
    document: 'mutation { updateUser(id: 2, input: { name: "Eddie" }) { id } }',
  }),
  'Mutation.createMember': (ground) => ({
    document: 'mutation ($input: CreateMemberInput!) { createMember(org: "acme", input: $input) { id } }',
    variables: { input: newcomer(ground) },
  }),
  'Mutation.updateMember': async (ground) => ({
    document:
      'mutation ($id: ID!) { updateMember(org: "acme", userId: $id, input: { role: editor }) { id } }',
    variables: { id: await ground.member() },
  }),
  'Mutation.deleteMember': async (ground) => ({
    document: 'mutation ($id: ID!) { deleteMember(org: "acme", userId: $id) }',
    variables: { id: await ground.member() },
  }),

  'Query.document': async (ground) => ({
    document: 'query ($id: ID!) { document(org: "acme", id: $id) { id title } }',
    variables: { id: await ground.document() },
  }),
  'Query.documents': () => ({ document: '{ documents(org: "acme") { nodes { id } } }' }),
  'Query.share': async (ground) => ({
    document: 'query ($id: ID!) { share(org: "acme", documentId: $id, userId: 3) { relation } }',
    variables: { id: await ground.sharedDocument() },
  }),
  'Mutation.createDocument': () => ({
    document: 'mutation ($input: CreateDocumentInput!) { createDocument(org: "acme", input: $input) { id } }',
    variables: { input: DOCUMENT },
  }),
  'Mutation.updateDocument': async (ground) => ({
    document:
      'mutation ($id: ID!) { updateDocument(org: "acme", id: $id, input: { title: "New" }) { version } }',
    variables: { id: await ground.document() },
  }),
  'Mutation.deleteDocument': async (ground) => ({
    document: 'mutation ($id: ID!) { deleteDocument(org: "acme", id: $id) }',
    variables: { id: await ground.document() },
  }),
  'Mutation.createShare': async (ground) => ({
    document:
      'mutation ($id: ID!) { createShare(org: "acme", documentId: $id, input: { userId: 3, relation: reader }) { relation } }',
    variables: { id: await ground.document() },
  }),
  'Mutation.deleteShare': async (ground) => ({
    document: 'mutation ($id: ID!) { deleteShare(org: "acme", documentId: $id, userId: 3) }',
    variables: { id: await ground.sharedDocument() },
  }),

  'Query.feed': () => ({ document: '{ feed(first: 3) { nodes { id } } }' }),
  'Mutation.markFeedRead': () => ({ document: 'mutation { markFeedRead { id } }' }),

  'Query.apiKeys': () => ({ document: '{ apiKeys { nodes { id } } }' }),
  'Mutation.createApiKey': () => ({
    document: 'mutation { createApiKey(input: { name: "new", scopes: ["read:orders"] }) { key } }',
  }),
  'Mutation.revokeApiKey': async (ground) => ({
    document: 'mutation ($id: ID!) { revokeApiKey(id: $id) }',
    variables: { id: await ground.apiKey() },
  }),

  'Mutation.createOrder': () => ({
    document: 'mutation { createOrder(input: { userId: 1, items: [{ productId: 1, qty: 1 }] }) { id } }',
  }),
  'Mutation.updateOrder': async (ground) => ({
    document: 'mutation ($id: ID!) { updateOrder(id: $id, input: { status: shipped }) { id } }',
    variables: { id: await ground.order() },
  }),
  'Mutation.deleteOrder': async (ground) => ({
    document: 'mutation ($id: ID!) { deleteOrder(id: $id) }',
    variables: { id: await ground.order() },
  }),

  'Query.charge': async (ground) => ({
    document: 'query ($id: ID!) { charge(id: $id) { id amount { value } } }',
    variables: { id: await ground.charge() },
  }),
  'Mutation.recordPaymentEvent': () => ({
    document:
      'mutation { recordPaymentEvent(input: { type: "charge.succeeded", timestamp: "2026-09-01T12:00:00Z", data: {} }) { applied } }',
  }),
  'Query.charges': () => ({ document: '{ charges { nodes { id } } }' }),
  'Mutation.createCharge': (ground) => ({
    document:
      'mutation ($input: CreateChargeInput!, $key: String) { createCharge(input: $input, idempotencyKey: $key) { id } }',
    variables: { input: CHARGE, key: ground.key() },
  }),
  'Mutation.refundCharge': async (ground) => ({
    document: 'mutation ($id: ID!) { refundCharge(id: $id) { status } }',
    variables: { id: await ground.charge() },
  }),
  'Query.webhook': async (ground) => ({
    document: 'query ($id: ID!) { webhook(id: $id) { id url } }',
    variables: { id: await ground.webhook() },
  }),
  'Query.webhooks': () => ({ document: '{ webhooks { nodes { id } } }' }),
  'Query.webhookDeliveries': async (ground) => ({
    document: 'query ($id: ID!) { webhookDeliveries(webhookId: $id) { nodes { id attempts { id } } } }',
    variables: { id: (await ground.webhookDelivery()).webhookId },
  }),
  'Mutation.createWebhook': () => ({
    document: 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id secret } }',
    variables: { input: WEBHOOK },
  }),
  'Mutation.updateWebhook': async (ground) => ({
    document: 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { version } }',
    variables: { id: await ground.webhook() },
  }),
  'Mutation.deleteWebhook': async (ground) => ({
    document: 'mutation ($id: ID!) { deleteWebhook(id: $id) }',
    variables: { id: await ground.webhook() },
  }),
  'Mutation.createWebhookSecret': async (ground) => ({
    document: 'mutation ($id: ID!) { createWebhookSecret(webhookId: $id) { secret } }',
    variables: { id: await ground.webhook() },
  }),
  'Mutation.createWebhookAttempt': async (ground) => ({
    document: `mutation ($webhookId: ID!, $deliveryId: ID!) {
      createWebhookAttempt(webhookId: $webhookId, deliveryId: $deliveryId) { number }
    }`,
    variables: await ground.webhookDelivery(),
  }),
};

/** By method and path of the first version, or of the second where that is another contract. */
export const ROUTE_CALLS: Readonly<Record<string, Making<RouteCall>>> = {
  'POST /v1/auth/login': () => ({ body: ED }),
  'POST /v1/auth/refresh': async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),
  'POST /v1/auth/logout': async (ground) => ({ body: { refresh_token: await ground.refreshToken() } }),

  'GET /v1/users/{user_id}': () => ({ params: { user_id: 1 } }),
  'PATCH /v1/users/{user_id}': () => ({ params: { user_id: 2 }, body: { name: 'Eddie' } }),
  'GET /v1/orgs/{org}/users': () => ({ params: { org: 'acme' } }),
  'POST /v1/orgs/{org}/users': (ground) => ({ params: { org: 'acme' }, body: newcomer(ground) }),
  'PATCH /v1/orgs/{org}/users/{user_id}': async (ground) => ({
    params: { org: 'acme', user_id: await ground.member() },
    body: { role: 'editor' },
  }),
  'DELETE /v1/orgs/{org}/users/{user_id}': async (ground) => ({
    params: { org: 'acme', user_id: await ground.member() },
  }),

  'GET /v1/orgs/{org}/docs': () => ({ params: ACME }),
  'POST /v1/orgs/{org}/docs': () => ({ params: ACME, body: DOCUMENT }),
  'GET /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
  }),
  'PUT /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: DOCUMENT,
  }),
  'PATCH /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: { title: 'New' },
  }),
  'DELETE /v1/orgs/{org}/docs/{doc_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
  }),
  'GET /v1/orgs/{org}/docs/{doc_id}/shares': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument() },
  }),
  'POST /v1/orgs/{org}/docs/{doc_id}/shares': async (ground) => ({
    params: { ...ACME, doc_id: await ground.document() },
    body: { user_id: VIC, relation: 'reader' },
  }),
  'GET /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument(), user_id: VIC },
  }),
  'DELETE /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}': async (ground) => ({
    params: { ...ACME, doc_id: await ground.sharedDocument(), user_id: VIC },
  }),

  'GET /feed': () => ({}),

  'GET /v1/api-keys': () => ({}),
  'POST /v1/api-keys': () => ({ body: { name: 'new', scopes: ['read:orders'] } }),
  'DELETE /v1/api-keys/{api_key_id}': async (ground) => ({ params: { api_key_id: await ground.apiKey() } }),

  'GET /v1/users/{user_id}/orders': () => ({ params: { user_id: 1 } }),
  'POST /v1/users/{user_id}/orders': () => ({ params: { user_id: 1 }, body: { items: TWO_LAMPS } }),
  'GET /v1/orders/{order_id}': () => ({ params: { order_id: 1 } }),
  'PUT /v1/orders/{order_id}': async (ground) => ({
    params: { order_id: await ground.order() },
    body: { items: TWO_LAMPS },
  }),
  'PATCH /v1/orders/{order_id}': async (ground) => ({
    params: { order_id: await ground.order() },
    body: { status: 'shipped' },
  }),
  'DELETE /v1/orders/{order_id}': async (ground) => ({ params: { order_id: await ground.order() } }),

  'POST /v1/charges': () => ({ body: { amount: 1999, source: 'tok_visa' } }),
  'GET /v1/charges/{charge_id}': async (ground) => ({ params: { charge_id: await ground.charge() } }),
  'POST /v2/charges': (ground) => ({ body: CHARGE, headers: { 'idempotency-key': ground.key() } }),
  'POST /v1/payment-events': (ground) => ground.paymentEvent(),
  'GET /v2/charges': () => ({}),
  'GET /v2/charges/{charge_id}': async (ground) => ({ params: { charge_id: await ground.charge() } }),
  'POST /v2/charges/{charge_id}/refunds': async (ground) => ({
    params: { charge_id: await ground.charge() },
  }),

  'GET /v1/products': () => ({}),
  'GET /v1/products/{product_id}': () => ({ params: { product_id: 1 } }),

  'GET /v1/webhooks': () => ({}),
  'POST /v1/webhooks': () => ({ body: WEBHOOK }),
  'GET /v1/webhooks/{webhook_id}': async (ground) => ({ params: { webhook_id: await ground.webhook() } }),
  'PATCH /v1/webhooks/{webhook_id}': async (ground) => ({
    params: { webhook_id: await ground.webhook() },
    body: { enabled: false },
  }),
  'DELETE /v1/webhooks/{webhook_id}': async (ground) => ({ params: { webhook_id: await ground.webhook() } }),
  'POST /v1/webhooks/{webhook_id}/secret': async (ground) => ({
    params: { webhook_id: await ground.webhook() },
  }),
  'GET /v1/webhooks/{webhook_id}/deliveries': async (ground) => ({
    params: { webhook_id: (await ground.webhookDelivery()).webhookId },
  }),
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts': async (ground) => {
    const { webhookId, deliveryId } = await ground.webhookDelivery();
    return { params: { webhook_id: webhookId, delivery_id: deliveryId } };
  },
};
