import { statement, type Transaction } from '../database.ts';
import { purgeByTime } from './purging.ts';

const insert = statement<{ messageId: string; now: Date }, readonly { id: number }[]>(
  'paymentEvents.insert',
  ({ orm, tables: { paymentEvents } }, p) =>
    orm
      .insert(paymentEvents)
      .values({ messageId: p.messageId, receivedAt: p.now })
      .onConflictDoNothing()
      .returning({ id: paymentEvents.id }),
);

const purge = purgeByTime('paymentEvents.purge', ({ paymentEvents }) => ({
  table: paymentEvents,
  at: paymentEvents.receivedAt,
}));

/** Records that a message was received. False if it was received before. */
export async function notePaymentEvent(tx: Transaction, messageId: string, now: Date): Promise<boolean> {
  return (await tx.run(insert, { messageId, now })).length > 0;
}

/** Deletes up to `limit` messages that were received before a time. Returns their number. */
export async function purgePaymentEvents(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
