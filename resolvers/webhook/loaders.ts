import DataLoader from 'dataloader';
import { attemptsAt } from '../../src/db/queries/webhook-attempts.ts';
import { deliveriesOfEvents } from '../../src/db/queries/webhook-deliveries.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../src/db/rows.ts';
import { declareLoader } from '../shared/loaders.ts';

/** The deliveries of an event, by webhook. */
export const deliveriesOfEvent = declareLoader<number, readonly WebhookDeliveryRow[]>(
  ({ database, org }) =>
    new DataLoader(async (eventIds) => {
      const rows = await deliveriesOfEvents(database, org, eventIds);
      const rowsOf = Map.groupBy(rows, (row) => row.eventId);
      return eventIds.map((id) => rowsOf.get(id) ?? []);
    }),
);

/** The attempts at a delivery, in order. */
export const attemptsOfDelivery = declareLoader<number, readonly WebhookAttemptRow[]>(
  ({ database, org }) =>
    new DataLoader(async (deliveryIds) => {
      const rows = await attemptsAt(database, org, deliveryIds);
      const rowsOf = Map.groupBy(rows, (row) => row.deliveryId);
      return deliveryIds.map((id) => rowsOf.get(id) ?? []);
    }),
);
