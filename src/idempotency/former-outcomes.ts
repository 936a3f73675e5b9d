/**
 * Outcomes that former versions have stored. Their rows lack the columns that were added since: one that may be null is read as null, and
 * one that may not has here the value that its migration gave to existing rows.
 */

type Row = Readonly<Record<string, unknown>>;

/** A refund used to be of the whole charge. */
function withRefunds({ status, amount }: Row): Row {
  const refunded = status === 'refunded' ? amount : 0;
  return { amountRefunded: refunded, amountReserved: refunded };
}

/** Returns the columns that rows had not always, by the mutation whose outcomes are such rows. */
const ADDED: Readonly<Record<string, (row: Row) => Row>> = {
  createCharge: withRefunds,
  refundCharge: withRefunds,
  createApp: () => ({ postLogoutRedirectUris: [] }),
};

/** Returns the value of an outcome of a mutation with all columns that its row has in this version. */
export function completeValue(mutation: string, value: unknown): unknown {
  const added = ADDED[mutation];
  if (!added || typeof value !== 'object' || value === null) return value;
  // Resolvers of mutations return rows, and `devalue` restores them as plain objects.
  const row = value as Row;
  return { ...added(row), ...row };
}
