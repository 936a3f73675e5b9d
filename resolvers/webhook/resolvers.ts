import {
  deliveriesBefore,
  deliveriesInStateBefore,
  findDelivery,
  orgOfDelivery,
} from '../../src/db/queries/webhook-deliveries.ts';
import { type VisibleWebhook, webhooks, webhooksAfter } from '../../src/db/queries/webhooks.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { findOwn, parseId, requireOwn } from '../shared/lookup.ts';
import { ownPageById, pageFromNewest } from '../shared/paging.ts';
import {
  type CreatedWebhook,
  type CreatedWebhookSecret,
  changeWebhook,
  createSecret,
  createWebhook,
  deleteWebhook,
} from './changes.ts';
import { redeliver, testWebhook } from './deliveries.ts';
import { attemptsOfDelivery, deliveriesOfEvent, deliveryById } from './loaders.ts';

export type WebhookNode = VisibleWebhook;
export type CreatedWebhookNode = CreatedWebhook;
export type CreatedWebhookSecretNode = CreatedWebhookSecret;
export type WebhookDeliveryNode = WebhookDeliveryRow;
export type WebhookAttemptNode = WebhookAttemptRow;

export const resolvers: Resolvers = {
  Query: {
    webhook: (_root, { id }, context) => findOwn(context, id, webhooks),
    webhooks: (_root, args, context) => ownPageById(context, 'webhooks', args, webhooksAfter),
    webhookDelivery: async (_root, { webhookId: given, deliveryId }, context) => {
      const webhookId = (await findOwn(context, given, webhooks))?.id;
      if (webhookId === undefined) return null;
      return findOwn(context, deliveryId, {
        find: (database, org, id) => findDelivery(database, { org, webhookId, id }),
        orgOf: orgOfDelivery,
      });
    },
    webhookDeliveries: async (_root, { webhookId: given, status = null, ...args }, context) => {
      const { database } = context;
      const found = await findOwn(context, given, webhooks);
      if (!found) return null;
      const { org, id: webhookId } = found;
      const list = ['webhookDeliveries', org, webhookId, ...(status === null ? [] : [status])];
      return pageFromNewest(context, list, args, (part, way) => {
        const page = { org, webhookId, ...part };
        return status === null
          ? deliveriesBefore(database, page, way)
          : deliveriesInStateBefore(database, { ...page, status }, way);
      });
    },
  },
  Mutation: {
    createWebhook: (_root, { input }, context) => createWebhook(context, input),
    updateWebhook: (_root, args, context) => changeWebhook(context, args),
    deleteWebhook: (_root, args, context) => deleteWebhook(context, args),
    createWebhookSecret: (_root, { webhookId }, context) => createSecret(context, webhookId),
    createWebhookAttempt: (_root, args, context) => redeliver(context, args),
    createWebhookTest: (_root, { webhookId }, context) => testWebhook(context, webhookId),
  },
  Activity: {
    deliveries: ({ id }, _args, context) => deliveriesOfEvent(context).load(id),
    delivery: async ({ id }, { webhookId }, context) => {
      const wanted = parseId(webhookId);
      const deliveries = await deliveriesOfEvent(context).load(id);
      return deliveries.find((delivery) => delivery.webhookId === wanted) ?? null;
    },
  },
  Webhook: {
    enabled: ({ disabledAt }) => disabledAt === null,
  },
  CreatedWebhook: {
    webhook: (created) => created,
  },
  CreatedWebhookSecret: {
    webhook: ({ id }, _args, context) => requireOwn(context, id, webhooks),
  },
  WebhookDelivery: {
    type: ({ eventType }) => eventType,
    attempts: ({ id }, _args, context) => attemptsOfDelivery(context).load(id),
  },
  WebhookAttempt: {
    delivery: ({ deliveryId }, _args, context) => deliveryById(context).load(deliveryId),
    status: ({ httpStatus }) => httpStatus,
  },
};
