import { attemptsAt } from '../../src/db/queries/webhook-attempts.ts';
import { deliveriesOfEvents } from '../../src/db/queries/webhook-deliveries.ts';
import { declareListLoader } from '../shared/loaders.ts';

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
