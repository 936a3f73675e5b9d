import { statement, stored, type Transaction } from '../database.ts';
import { eq } from '../drizzle/index.ts';
import type { Tables } from '../tables.ts';

export type SandboxPaymentRow = Readonly<Tables['sandboxPayments']['$inferSelect']>;
export type NewSandboxPayment = Omit<SandboxPaymentRow, 'id'>;

const ENTERED = ['key', 'request', 'paymentId', 'moved', 'currency', 'declined', 'createdAt'] as const;

const insert = statement<NewSandboxPayment, readonly SandboxPaymentRow[]>(
  'sandbox.insert',
  ({ orm, tables: { sandboxPayments } }, p) =>
    orm
      .insert(sandboxPayments)
      .values(stored(sandboxPayments, p, ...ENTERED))
      .onConflictDoNothing()
      .returning(),
);

const byKey = statement<{ key: string }, readonly SandboxPaymentRow[]>(
  'sandbox.byKey',
  ({ orm, tables: { sandboxPayments } }, p) =>
    orm.select().from(sandboxPayments).where(eq(sandboxPayments.key, p.key)),
);

/** Records a payment, or returns the earlier one with its key. */
export async function enterPayment(tx: Transaction, payment: NewSandboxPayment): Promise<SandboxPaymentRow> {
  const [row] = await tx.run(insert, payment);
  const entered = row ?? (await tx.run(byKey, { key: payment.key }))[0];
  if (!entered) throw new Error('A payment was neither inserted nor found.');
  return entered;
}
