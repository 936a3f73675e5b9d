import { attemptsAt } from '../../src/db/queries/webhook-attempts.ts';
import { deliveriesOfEvents, findDeliveries } from '../../src/db/queries/webhook-deliveries.ts';
import type { WebhookDeliveryRow } from '../../src/db/rows.ts';
import { declareIdLoader, declareListLoader } from '../shared/loaders.ts';

/** The deliveries of an event, by webhook. */
export const deliveriesOfEvent = declareListLoader(
  ({ database, org }, eventIds) => deliveriesOfEvents(database, { org, eventIds }),
  ({ eventId }) => eventId,
);

/** The attempts at a delivery, in order. */
export const attemptsOfDelivery = declareListLoader(
  ({ database, org }, deliveryIds) => attemptsAt(database, { org, deliveryIds }),
  ({ deliveryId }) => deliveryId,
);

/** A delivery; null if it was deleted. */
export const deliveryById = declareIdLoader<WebhookDeliveryRow | null>(async ({ database, org }, ids) => {
  const found = new Map((await findDeliveries(database, { org, ids })).map((row) => [row.id, row]));
  return (id) => found.get(id) ?? null;
});
