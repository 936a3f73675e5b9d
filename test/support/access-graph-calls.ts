/**
 * For every root field an operation that succeeds for whoever may run it. Each is made anew for each caller who may, since
 * what was deleted once cannot be deleted again.
 */
import { DOCUMENT, ED, type Ground, type Making, newcomer, WEBHOOK } from './access-ground.ts';
import { CHARGE } from './charges.ts';

export interface GraphCall {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** An operation that stands as it is, about what the demo has. */
const alone =
  (document: string): Making<GraphCall> =>
  () => ({ document });

/** Members of the ground that give an id. */
type Thing = {
  [Name in keyof Ground]: Ground[Name] extends () => Promise<number> ? Name : never;
}[keyof Ground];

/** An operation about something that is made for it, whose id is `$id`. */
const about =
  (thing: Thing, document: string): Making<GraphCall> =>
  async (ground) => ({ document, variables: { id: await ground[thing]() } });

/** An operation with a token of a session that nobody else uses. */
const withToken =
  (document: string): Making<GraphCall> =>
  async (ground) => ({ document, variables: { token: await ground.refreshToken() } });

/** By root field. */
export const GRAPH_CALLS: Readonly<Record<string, Making<GraphCall>>> = {
  'Query.me': alone('{ me { id name } }'),
  'Query.user': alone('{ user(id: 1) { id name } }'),
  'Query.members': alone('{ members(org: "acme") { nodes { id } } }'),
  'Query.order': alone('{ order(id: 1) { id items { id } } }'),
  'Query.orders': alone('{ orders(userId: 1) { nodes { id } } }'),
  'Query.product': alone('{ product(id: 1) { id } }'),
  'Query.products': alone('{ products { nodes { id } } }'),

  'Mutation.login': () => ({
    document:
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { expiresIn } }',
    variables: ED,
  }),
  'Mutation.refreshSession': withToken(
    'mutation ($token: String!) { refreshSession(refreshToken: $token) { expiresIn } }',
  ),
  'Mutation.logout': withToken('mutation ($token: String!) { logout(refreshToken: $token) }'),

  'Mutation.updateUser': alone('mutation { updateUser(id: 2, input: { name: "Eddie" }) { id } }'),
  'Mutation.createMember': (ground) => ({
    document: 'mutation ($input: CreateMemberInput!) { createMember(org: "acme", input: $input) { id } }',
    variables: { input: newcomer(ground) },
  }),
  'Mutation.updateMember': about(
    'member',
    'mutation ($id: ID!) { updateMember(org: "acme", userId: $id, input: { role: editor }) { id } }',
  ),
  'Mutation.deleteMember': about('member', 'mutation ($id: ID!) { deleteMember(org: "acme", userId: $id) }'),

  'Query.document': about('document', 'query ($id: ID!) { document(org: "acme", id: $id) { id title } }'),
  'Query.documents': alone('{ documents(org: "acme") { nodes { id } } }'),
  'Query.share': about(
    'sharedDocument',
    'query ($id: ID!) { share(org: "acme", documentId: $id, userId: 3) { relation } }',
  ),
  'Mutation.createDocument': () => ({
    document: 'mutation ($input: CreateDocumentInput!) { createDocument(org: "acme", input: $input) { id } }',
    variables: { input: DOCUMENT },
  }),
  'Mutation.updateDocument': about(
    'document',
    'mutation ($id: ID!) { updateDocument(org: "acme", id: $id, input: { title: "New" }) { version } }',
  ),
  'Mutation.deleteDocument': about(
    'document',
    'mutation ($id: ID!) { deleteDocument(org: "acme", id: $id) }',
  ),
  'Mutation.createShare': about(
    'document',
    'mutation ($id: ID!) { createShare(org: "acme", documentId: $id, input: { userId: 3, relation: reader }) { relation } }',
  ),
  'Mutation.deleteShare': about(
    'sharedDocument',
    'mutation ($id: ID!) { deleteShare(org: "acme", documentId: $id, userId: 3) }',
  ),

  'Query.feed': alone('{ feed(first: 3) { nodes { id } } }'),
  'Mutation.markFeedRead': alone('mutation { markFeedRead { id } }'),

  'Query.apiKey': about('apiKey', 'query ($id: ID!) { apiKey(id: $id) { id name } }'),
  'Query.apiKeys': alone('{ apiKeys { nodes { id } } }'),
  'Mutation.createApiKey': alone(
    'mutation { createApiKey(input: { name: "new", scopes: ["read:orders"] }) { key } }',
  ),
  'Mutation.revokeApiKey': about('apiKey', 'mutation ($id: ID!) { revokeApiKey(id: $id) }'),

  'Mutation.createOrder': alone(
    'mutation { createOrder(input: { userId: 1, items: [{ productId: 1, qty: 1 }] }) { id } }',
  ),
  'Mutation.updateOrder': about(
    'order',
    'mutation ($id: ID!) { updateOrder(id: $id, input: { status: shipped }) { id } }',
  ),
  'Mutation.deleteOrder': about('order', 'mutation ($id: ID!) { deleteOrder(id: $id) }'),

  'Query.charge': about('charge', 'query ($id: ID!) { charge(id: $id) { id amount { value } } }'),
  'Mutation.recordPaymentEvent': alone(
    'mutation { recordPaymentEvent(input: { type: "charge.succeeded", timestamp: "2026-09-01T12:00:00Z", data: {} }) { applied } }',
  ),
  'Mutation.recordStripeEvent': alone('mutation { recordStripeEvent(event: {}) { applied } }'),
  'Query.charges': alone('{ charges { nodes { id } } }'),
  'Mutation.createCharge': (ground) => ({
    document:
      'mutation ($input: CreateChargeInput!, $key: String) { createCharge(input: $input, idempotencyKey: $key) { id } }',
    variables: { input: CHARGE, key: ground.key() },
  }),
  'Mutation.refundCharge': about('charge', 'mutation ($id: ID!) { refundCharge(id: $id) { status } }'),
  'Query.webhook': about('webhook', 'query ($id: ID!) { webhook(id: $id) { id url } }'),
  'Query.webhooks': alone('{ webhooks { nodes { id } } }'),
  'Query.webhookDeliveries': async (ground) => ({
    document: 'query ($id: ID!) { webhookDeliveries(webhookId: $id) { nodes { id attempts { id } } } }',
    variables: { id: (await ground.webhookDelivery()).webhookId },
  }),
  'Mutation.createWebhook': () => ({
    document: 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id secret } }',
    variables: { input: WEBHOOK },
  }),
  'Mutation.updateWebhook': about(
    'webhook',
    'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { version } }',
  ),
  'Mutation.deleteWebhook': about('webhook', 'mutation ($id: ID!) { deleteWebhook(id: $id) }'),
  'Mutation.createWebhookSecret': about(
    'webhook',
    'mutation ($id: ID!) { createWebhookSecret(webhookId: $id) { secret } }',
  ),
  'Mutation.createWebhookAttempt': async (ground) => ({
    document: `mutation ($webhookId: ID!, $deliveryId: ID!) {
      createWebhookAttempt(webhookId: $webhookId, deliveryId: $deliveryId) { number }
    }`,
    variables: await ground.webhookDelivery(),
  }),
};
