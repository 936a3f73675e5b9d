/** Mail that is to be sent. */
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, inArray, lte, sql } from '../drizzle/index.ts';
import type { MailKind, OutboxRow } from '../rows.ts';

interface NewMessage {
  readonly kind: MailKind;
  readonly email: string;
  readonly invitationId: number | null;
  readonly address: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

const insert = statement<NewMessage, unknown>('outbox.insert', ({ orm, tables: { outbox } }, p) =>
  orm.insert(outbox).values({
    kind: p.kind,
    email: p.email,
    invitationId: asStored(p.invitationId, outbox.invitationId),
    address: asStored(p.address, outbox.address),
    nextAttemptAt: p.now,
    createdAt: p.now,
    expiresAt: p.expiresAt,
  }),
);

const due = statement<{ now: Date }, readonly { id: number }[]>(
  'outbox.due',
  ({ orm, tables: { outbox } }, p) =>
    orm
      .select({ id: outbox.id })
      .from(outbox)
      .where(lte(outbox.nextAttemptAt, asStored(p.now, outbox.nextAttemptAt)))
      .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
      .limit(sql.raw('1') as never),
);

interface Claim {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
}

const claim = statement<Claim, readonly OutboxRow[]>('outbox.claim', ({ orm, tables: { outbox } }, p) => {
  const isDue = () => lte(outbox.nextAttemptAt, asStored(p.now, outbox.nextAttemptAt));
  return (
    orm
      .update(outbox)
      .set({
        attempts: sql`${outbox.attempts} + 1`,
        nextAttemptAt: asStored(p.leasedUntil, outbox.nextAttemptAt),
      })
      // Looked at once more for each row: another instance may have taken it up in the meantime.
      .where(
        and(
          isDue(),
          inArray(
            outbox.id,
            orm
              .select({ id: outbox.id })
              .from(outbox)
              .where(isDue())
              .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
              .limit(p.limit),
          ),
        ),
      )
      .returning()
  );
});

const reschedule = statement<{ id: number; attempts: number; at: Date }, unknown>(
  'outbox.reschedule',
  ({ orm, tables: { outbox } }, p) =>
    orm
      .update(outbox)
      .set({ nextAttemptAt: asStored(p.at, outbox.nextAttemptAt) })
      .where(and(eq(outbox.id, p.id), eq(outbox.attempts, p.attempts))),
);

const remove = statement<{ id: number }, unknown>('outbox.remove', ({ orm, tables: { outbox } }, p) =>
  orm.delete(outbox).where(eq(outbox.id, p.id)),
);

const purge = statement<{ before: Date; limit: number }, readonly { id: number }[]>(
  'outbox.purge',
  ({ orm, tables: { outbox } }, p) =>
    orm
      .delete(outbox)
      .where(
        inArray(
          outbox.id,
          orm
            .select({ id: outbox.id })
            .from(outbox)
            .where(lte(outbox.expiresAt, asStored(p.before, outbox.expiresAt)))
            .limit(p.limit),
        ),
      )
      .returning({ id: outbox.id }),
);

/** Adds a message to be sent, in the transaction of the change that it is about. */
export async function insertMessage(tx: Transaction, message: Omit<NewMessage, 'address'>): Promise<void> {
  await tx.run(insert, { ...message, address: tx.origin?.address ?? null });
}

/** Whether a message is due. A read, so that looking for mail takes no turn of a writer. */
export async function hasDueMessage(db: Runner, now: Date): Promise<boolean> {
  return (await db.run(due, { now })).length > 0;
}

/** Takes up messages that are due: until the lease ends they are not due for others. */
export function claimMessages(tx: Transaction, params: Claim): Promise<readonly OutboxRow[]> {
  return tx.run(claim, params);
}

/** Has a message be sent again later, unless another process has taken it up since. */
export async function rescheduleMessage(
  tx: Transaction,
  { id, attempts }: Pick<OutboxRow, 'id' | 'attempts'>,
  at: Date,
): Promise<void> {
  await tx.run(reschedule, { id, attempts, at });
}

export async function removeMessage(tx: Transaction, id: number): Promise<void> {
  await tx.run(remove, { id });
}

/** Removes up to `limit` messages that expired before a time: where no process sends mail, none does it. Gives how many there were. */
export async function purgeMessages(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
