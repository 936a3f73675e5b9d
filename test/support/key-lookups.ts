/** Runs a function between the lookup of an idempotency key and the work under it, where concurrent requests with the key meet. */
import type { OpenDatabase } from '../../src/db/database.ts';
import { membersOf } from './test-doubles.ts';

export function keyLookups() {
  let pending: (() => Promise<void>) | undefined;
  return {
    /** Runs a function once, after the next lookup of a key. */
    afterNext(run: () => Promise<void>): void {
      pending = run;
    },
    around: (database: OpenDatabase): OpenDatabase => ({
      ...membersOf(database),
      async run(statement, params, signal, flow) {
        const result = await database.run(statement, params, signal, flow);
        if (statement.name !== 'idempotency.byKey') return result;
        const next = pending;
        pending = undefined;
        await next?.();
        return result;
      },
    }),
  };
}
