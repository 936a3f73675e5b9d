import type { Transaction } from '../database.ts';
import { eq } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import { given } from '../statement.ts';
import type { Tables } from '../tables.ts';

export type SandboxPaymentRow = Readonly<Tables['sandboxPayments']['$inferSelect']>;
export type NewSandboxPayment = Omit<SandboxPaymentRow, 'id'>;

const ENTERED = ['key', 'request', 'paymentId', 'moved', 'currency', 'declined', 'createdAt'] as const;

const insert = write.first<NewSandboxPayment, SandboxPaymentRow>(
  'sandbox.insert',
  ({ orm, tables: { sandboxPayments } }, p) =>
    orm
      .insert(sandboxPayments)
      .values(given(p, ...ENTERED))
      .onConflictDoNothing()
      .returning(),
);

const byKey = read.first<{ key: string }, SandboxPaymentRow>(
  'sandbox.byKey',
  ({ orm, tables: { sandboxPayments } }, p) =>
    orm.select().from(sandboxPayments).where(eq(sandboxPayments.key, p.key)),
);

/** Records a payment, or returns the earlier one with its key. */
export async function enterPayment(tx: Transaction, payment: NewSandboxPayment): Promise<SandboxPaymentRow> {
  const row = await insert(tx, payment);
  const entered = row ?? (await byKey(tx, { key: payment.key }));
  if (!entered) throw new Error('A payment was neither inserted nor found.');
  return entered;
}
