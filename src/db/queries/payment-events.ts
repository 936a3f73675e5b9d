import { write } from '../query.ts';
import { purgeByTime } from './shared/purging.ts';

/** Records that a message was received. False if it was received before. */
export const notePaymentEvent = write.any<{ messageId: string; now: Date }>(
  'paymentEvents.insert',
  ({ orm, tables: { paymentEvents } }, p) =>
    orm
      .insert(paymentEvents)
      .values({ messageId: p.messageId, receivedAt: p.now })
      .onConflictDoNothing()
      .returning({ id: paymentEvents.id }),
);

/** Deletes up to `limit` messages that were received before a time. Returns their number. */
export const purgePaymentEvents = purgeByTime(
  'paymentEvents.purge',
  'paymentEvents',
  ({ receivedAt }) => receivedAt,
);
