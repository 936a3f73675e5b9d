/** The outbox of mail to be sent. */
import type { Transaction } from '../database.ts';
import { and, asc, eq, lte, sql } from '../drizzle/index.ts';
import { constantLimit } from '../literals.ts';
import { read, write } from '../query.ts';
import type { OutboxRow } from '../rows.ts';
import { checked, equal, given, statement } from '../statement.ts';
import { purgeByTime } from './shared/purging.ts';

type NewMessage = Pick<OutboxRow, 'kind' | 'email' | 'invitationId' | 'address' | 'expiresAt'> & {
  readonly now: Date;
};

const insert = statement<NewMessage, unknown>('outbox.insert', ({ orm, tables: { outbox } }, p) =>
  orm.insert(outbox).values({
    ...given(p, 'kind', 'email', 'invitationId', 'address', 'expiresAt'),
    nextAttemptAt: p.now,
    createdAt: p.now,
  }),
);

/** Whether a message is due. This is a read, so that polling for mail does not compete with writers. */
export const hasDueMessage = read.any<{ now: Date }>('outbox.due', ({ orm, tables: { outbox } }, p) =>
  orm
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.nextAttemptAt, p.now))
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(constantLimit(1)),
);

/** Claims due messages: no other process gets them until the lease ends. */
export const claimMessages = write.all<{ now: Date; leasedUntil: Date; limit: number }, OutboxRow>(
  'outbox.claim',
  ({ orm, tables: { outbox }, dialect }, p) => {
    const isDue = () => lte(outbox.nextAttemptAt, p.now);
    const first = orm
      .select({ id: outbox.id })
      .from(outbox)
      .where(isDue())
      .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
      .limit(p.limit);
    return (
      orm
        .update(outbox)
        .set({
          attempts: sql`${outbox.attempts} + 1`,
          nextAttemptAt: p.leasedUntil,
        })
        // Checked again for each row, since another instance may have claimed it in the meantime.
        .where(and(checked(isDue()), dialect.amongFew(outbox.id, first.getSQL())))
        .returning()
    );
  },
);

/** Schedules another attempt at a message, unless another process has claimed it since. */
export const rescheduleMessage = write.run<{ id: number; attempts: number; at: Date }>(
  'outbox.reschedule',
  ({ orm, tables: { outbox } }, p) =>
    orm
      .update(outbox)
      .set({ nextAttemptAt: p.at })
      .where(equal(outbox, p, 'id', 'attempts')),
);

export const removeMessage = write.run<{ id: number }>('outbox.remove', ({ orm, tables: { outbox } }, p) =>
  orm.delete(outbox).where(eq(outbox.id, p.id)),
);

/** Adds a message to the outbox, in the transaction of the change that causes it. */
export async function insertMessage(tx: Transaction, message: Omit<NewMessage, 'address'>): Promise<void> {
  await tx.run(insert, { ...message, address: tx.origin?.address ?? null });
}

/**
 * Deletes up to `limit` messages that expired before a time, for deployments where no process sends (and thereby removes) mail.
 *
 * @returns the number of deleted messages.
 */
export const purgeMessages = purgeByTime('outbox.purge', 'outbox', ({ expiresAt }) => expiresAt);
