/** Access to webhooks. */
import { LIMITS } from '../../src/core/limits.ts';
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { WEBHOOK } from './shared/fixtures.ts';

export const graph: Rules<GraphCall> = {
  'Query.webhook': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('webhook', 'query ($id: ID!) { webhook(id: $id) { id url } }'),
  ],
  'Query.webhooks': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ webhooks { nodes { id } } }'),
  ],
  'Query.webhookDelivery': [
    'ok | role | role | forbidden | scope | expired | sign in',
    async (fixtures) => ({
      document: `query ($webhookId: ID!, $deliveryId: ID!) {
      webhookDelivery(webhookId: $webhookId, deliveryId: $deliveryId) { id attempts { id } }
    }`,
      variables: await fixtures.webhookDelivery(),
    }),
  ],
  'Query.webhookDeliveries': [
    'ok | role | role | forbidden | scope | expired | sign in',
    async (fixtures) => ({
      document: 'query ($id: ID!) { webhookDeliveries(webhookId: $id) { nodes { id attempts { id } } } }',
      variables: { id: (await fixtures.webhookDelivery()).webhookId },
    }),
  ],
  'Mutation.createWebhook': [
    'ok | role | role | ok | scope | expired | sign in',
    () => ({
      document: 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id secret } }',
      variables: { input: WEBHOOK },
    }),
  ],
  'Mutation.updateWebhook': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('webhook', 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { version } }'),
  ],
  'Mutation.deleteWebhook': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('webhook', 'mutation ($id: ID!) { deleteWebhook(id: $id) }'),
  ],
  'Mutation.createWebhookSecret': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('webhook', 'mutation ($id: ID!) { createWebhookSecret(webhookId: $id) { secret } }'),
  ],
  'Mutation.createWebhookAttempt': [
    'ok | role | role | forbidden | scope | expired | sign in',
    async (fixtures) => ({
      document: `mutation ($webhookId: ID!, $deliveryId: ID!) {
      createWebhookAttempt(webhookId: $webhookId, deliveryId: $deliveryId) { number }
    }`,
      variables: await fixtures.webhookDelivery(),
    }),
  ],
  'Mutation.createWebhookTest': [
    'ok | role | role | forbidden | scope | expired | sign in',
    about('webhook', 'mutation ($id: ID!) { createWebhookTest(webhookId: $id) { type } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/webhooks': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'POST /v1/webhooks': ['201 | 403 | 403 | 201 | 403 | 401 | 401', () => ({ body: WEBHOOK })],
  'GET /v1/webhooks/{webhook_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { webhook_id: await fixtures.webhook() } }),
  ],
  'PATCH /v1/webhooks/{webhook_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { webhook_id: await fixtures.webhook() },
      body: { enabled: false },
    }),
  ],
  'DELETE /v1/webhooks/{webhook_id}': [
    '204 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { webhook_id: await fixtures.webhook() } }),
  ],
  'POST /v1/webhooks/{webhook_id}/secret': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { webhook_id: await fixtures.webhook() },
    }),
  ],
  'GET /v1/webhooks/{webhook_id}/deliveries': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { webhook_id: (await fixtures.webhookDelivery()).webhookId },
    }),
  ],
  'GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}': [
    '200 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => {
      const { webhookId, deliveryId } = await fixtures.webhookDelivery();
      return { params: { webhook_id: webhookId, delivery_id: deliveryId } };
    },
  ],
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => {
      const { webhookId, deliveryId } = await fixtures.webhookDelivery();
      return { params: { webhook_id: webhookId, delivery_id: deliveryId } };
    },
  ],
  'POST /v1/webhooks/{webhook_id}/tests': [
    '201 | 403 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { webhook_id: await fixtures.webhook() } }),
  ],
};

export const conflicts: ResourceFacts['conflicts'] = {
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts': async (fixtures) => {
    const { webhookId, deliveryId } = await fixtures.webhookDelivery();
    await fixtures.change(`/v1/webhooks/${webhookId}`, { enabled: false });
    return { params: { webhook_id: webhookId, delivery_id: deliveryId } };
  },
  'POST /v1/webhooks/{webhook_id}/tests': async (fixtures) => {
    const id = await fixtures.webhook();
    await fixtures.change(`/v1/webhooks/${id}`, { enabled: false });
    return { params: { webhook_id: id } };
  },
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/webhooks/{webhook_id}': [
    { url: 'https://hooks.example.com/moved' },
    { types: ['charge.*'] },
    { enabled: false },
  ],
};

export const lists = {
  'Activity.deliveries': LIMITS.webhooks,
  'WebhookDelivery.attempts': LIMITS.webhookAttempts,
};
export const texts = { types: 'types of events', url: 'a URL' };
export const lengths = {
  answer: LIMITS.webhookAnswerKept,
  messageId: 100,
  secret: 100,
  types: LIMITS.webhookTypes * 64,
};
export const columns = { types: ['order.*'] };
