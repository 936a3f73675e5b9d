import type { Transaction } from '../../src/db/database.ts';
import type { ChargeRow } from '../../src/db/rows.ts';
import { record } from '../../src/events/record.ts';
import type { Context } from '../../src/graphql/context.ts';
import { toMajorUnits } from '../../src/money.ts';

/** Writes down what became of a charge. It was the caller, or without one the payment provider. */
export async function announceCharge(
  tx: Transaction,
  { principal, clock }: Context,
  charge: ChargeRow,
): Promise<void> {
  const { id, org, orderId, amount, currency, status, failureCode } = charge;
  if (status === 'pending') throw new Error('Of a pending charge there is nothing to tell yet.');
  const data = {
    amount: { value: toMajorUnits(amount, currency), currency },
    status,
    order_id: orderId,
    ...(failureCode !== null && { failure_code: failureCode }),
  };
  const subject = { subjectType: 'charge', subjectId: id } as const;
  await record(
    tx,
    { org, type: `charge.${status}`, actorId: principal?.userId ?? null, ...subject, data },
    clock,
  );
}
