import type { Transaction } from '../database.ts';
import { write } from '../query.ts';
import { given } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { findBy } from './shared/owned.ts';

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

const byKey = findBy('sandbox.byKey', 'sandboxPayments', ['key']);

/** Records a payment, or returns the earlier one with its key. */
export async function enterPayment(tx: Transaction, payment: NewSandboxPayment): Promise<SandboxPaymentRow> {
  const row = await insert(tx, payment);
  const entered = row ?? (await byKey(tx, { key: payment.key }));
  if (!entered) throw new Error('A payment was neither inserted nor found.');
  return entered;
}
