import { asStored, statement, type Transaction } from '../database.ts';
import { inArray, lt } from '../drizzle/index.ts';

const insert = statement<{ messageId: string; now: Date }, readonly { id: number }[]>(
  'paymentEvents.insert',
  ({ orm, tables: { paymentEvents } }, p) =>
    orm
      .insert(paymentEvents)
      .values({ messageId: p.messageId, receivedAt: p.now })
      .onConflictDoNothing()
      .returning({ id: paymentEvents.id }),
);

const purge = statement<{ before: Date; limit: number }, readonly { id: number }[]>(
  'paymentEvents.purge',
  ({ orm, tables: { paymentEvents } }, p) =>
    orm
      .delete(paymentEvents)
      .where(
        inArray(
          paymentEvents.id,
          orm
            .select({ id: paymentEvents.id })
            .from(paymentEvents)
            .where(lt(paymentEvents.receivedAt, asStored(p.before, paymentEvents.receivedAt)))
            .orderBy(paymentEvents.receivedAt)
            .limit(p.limit),
        ),
      )
      .returning({ id: paymentEvents.id }),
);

/** Records that a message was received. False if it was received before. */
export async function notePaymentEvent(tx: Transaction, messageId: string, now: Date): Promise<boolean> {
  return (await tx.run(insert, { messageId, now })).length > 0;
}

/** Deletes up to `limit` of the oldest messages from before a time. Returns the number of deleted messages. */
export async function purgePaymentEvents(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
