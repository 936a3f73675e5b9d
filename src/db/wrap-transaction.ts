import type { Transaction } from './database.ts';

/** Returns a transaction that replaces some functions of another one. The origin is the same one, also when it is set later. */
export const wrapTransaction = (
  tx: Transaction,
  replaced: Partial<Pick<Transaction, 'run' | 'last'>>,
): Transaction => ({
  inTransaction: true,
  get origin() {
    return tx.origin;
  },
  set origin(origin) {
    tx.origin = origin;
  },
  run: (statement, params) => tx.run(statement, params),
  notifyLogGrowth: (org, type) => tx.notifyLogGrowth(org, type),
  last: (statements, run) => tx.last(statements, run),
  ...replaced,
});
