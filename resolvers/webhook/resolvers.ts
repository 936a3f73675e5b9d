import { attemptsAt } from '../../src/db/queries/webhook-attempts.ts';
import { deliveriesBefore } from '../../src/db/queries/webhook-deliveries.ts';
import { webhooksAfter } from '../../src/db/queries/webhooks.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn } from '../shared/lookup.ts';
import { pageById, pageFromNewest } from '../shared/paging.ts';
import { selects } from '../shared/selection.ts';
import { changeWebhook, createSecret, createWebhook, deleteWebhook, redeliver, webhooks } from './changes.ts';

export const resolvers: Resolvers = {
  Query: {
    webhook: (_root, { id }, context) => findOwn(context, id, webhooks),
    webhooks: (_root, args, context) => {
      const { org } = callerOf(context);
      return pageById(context, ['webhooks', org], args, (afterId, limit) =>
        webhooksAfter(context.database, org, afterId, limit),
      );
    },
    webhookDeliveries: async (_root, { webhookId, ...args }, context, info) => {
      const { database } = context;
      const found = await findOwn(context, webhookId, webhooks);
      if (!found) return null;
      const list = ['webhookDeliveries', found.org, found.id];
      const page = await pageFromNewest(context, list, args, (beforeId, limit) =>
        deliveriesBefore(database, found, beforeId, limit),
      );
      if (!selects(info, 'nodes.attempts')) return page;
      const attempts = await attemptsAt(
        database,
        page.nodes.map(({ id }) => id),
      );
      const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
      return {
        ...page,
        nodes: page.nodes.map((row) => ({ ...row, attemptRows: byDelivery.get(row.id) ?? [] })),
      };
    },
  },
  Mutation: {
    createWebhook: (_root, { input }, context) => createWebhook(context, input),
    updateWebhook: (_root, { id, input, ifVersion }, context) =>
      changeWebhook(context, id, input, ifVersion ?? null),
    deleteWebhook: (_root, { id, ifVersion }, context) => deleteWebhook(context, id, ifVersion ?? null),
    createWebhookSecret: (_root, { webhookId }, context) => createSecret(context, webhookId),
    createWebhookAttempt: (_root, { webhookId, deliveryId }, context) =>
      redeliver(context, webhookId, deliveryId),
  },
  Webhook: {
    enabled: ({ disabledAt }) => disabledAt === null,
  },
  WebhookDelivery: {
    type: ({ eventType }) => eventType,
    // The operation was seen to ask for them, or this would not be called.
    attempts: ({ attemptRows = [] }) => attemptRows,
  },
  WebhookAttempt: {
    status: ({ httpStatus }) => httpStatus,
  },
};
