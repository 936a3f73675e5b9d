/**
 * For every root field an operation that succeeds for whoever may run it. Each is made anew for each caller who may, since
 * what was deleted once cannot be deleted again.
 */
import { DOCUMENT, ED, type Making, newcomer, WEBHOOK } from './access-ground.ts';
import { CHARGE } from './charges.ts';

export interface GraphCall {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

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
