import DataLoader from 'dataloader';
import { attemptsAt } from '../../src/db/queries/webhook-attempts.ts';
import { deliveriesOfEvents } from '../../src/db/queries/webhook-deliveries.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';
import { declareLoader, groupsOf } from '../shared/loaders.ts';

/** The deliveries of an event, by webhook. */
export const deliveriesOfEvent = declareLoader<number, readonly WebhookDeliveryRow[]>(
  ({ database, org }) =>
    new DataLoader(async (ids) =>
      groupsOf(ids, await deliveriesOfEvents(database, { org, eventIds: ids }), ({ eventId }) => eventId),
    ),
);

/** The attempts at a delivery, in order. */
export const attemptsOfDelivery = declareLoader<number, readonly WebhookAttemptRow[]>(
  ({ database, org }) =>
    new DataLoader(async (ids) =>
      groupsOf(ids, await attemptsAt(database, { org, deliveryIds: ids }), ({ deliveryId }) => deliveryId),
    ),
);
