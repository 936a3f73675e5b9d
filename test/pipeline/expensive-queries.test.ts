/**
 * Expensive queries run a few at a time: while they wait for statements, cheap operations of all callers
 * continue.
 */
import { afterEach, expect, test } from 'vitest';
import { onAbort } from '../../src/core/deadline.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Database } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { membersOf } from '../support/test-doubles.ts';

/** Above `LIMITS.expensiveCost`. */
const EXPENSIVE = '{ orders(userId: 1, limit: 100) { nodes { id items { name } } } }';
const CHEAP = '{ me { name } }';

describeEachEngine('expensive queries', (engine) => {
  /** The queries whose first statement was requested, each with the function that releases it. */
  const begun: (() => void)[] = [];
  let isOpen = false;
  const around = (database: Database): Database => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      if (statement.name.startsWith('orders.page') && !isOpen) {
        await new Promise<void>((resolve, reject) => {
          begun.push(resolve);
          onAbort(signal, () => reject(signal?.reason));
        });
      }
      return database.run(statement, params, signal, flow);
    },
  });
  const app = startApp(engine, { around, operations: { deadline: 1000 } });

  afterEach(async () => {
    isOpen = true;
    for (const go of begun.splice(0)) go();
    await until(0, 0);
    isOpen = false;
  });

  /** Resolves when this many run and this many wait. */
  function until(taken: number, waiting: number): Promise<void> {
    const { expensiveQueries } = app.services;
    return waitUntil(
      () => expensiveQueries.taken === taken && expensiveQueries.waiting === waiting,
      `${taken} expensive queries to run and ${waiting} to wait`,
    );
  }

  const ask = (query: string, as: 'ada' | 'vic') => app.graphql(query, {}, { as });

  test('run a few at a time, and cheap ones do not wait for them', async () => {
    await Promise.all([app.signIn('ada'), app.signIn('vic')]);
    const requests = Array.from({ length: LIMITS.expensiveQueries + 3 }, () => ask(EXPENSIVE, 'ada'));
    await until(LIMITS.expensiveQueries, 3);
    expect(begun).toHaveLength(LIMITS.expensiveQueries);
    for (const as of ['ada', 'vic'] as const) {
      const cheap = await ask(CHEAP, as);
      expect(cheap.body.errors).toBeUndefined();
    }
    // That of another caller is next, however many came before.
    const other = ask(EXPENSIVE, 'vic');
    await until(LIMITS.expensiveQueries, 4);
    isOpen = true;
    for (const go of begun.splice(0)) go();
    for (const response of await Promise.all([...requests, other]))
      expect(response.body.errors).toBeUndefined();
    await until(0, 0);
  });

  test('release their places when they time out', async () => {
    const responses = await Promise.all(
      Array.from({ length: LIMITS.expensiveQueries + 1 }, () => ask(EXPENSIVE, 'ada')),
    );
    for (const { body } of responses) expect(body.errors?.[0]?.extensions.code).toBe('timeout');
    for (const go of begun.splice(0)) go();
    await until(0, 0);
  });

  test('are rejected when too many wait', async () => {
    await app.signIn('ada');
    const most = LIMITS.expensiveQueries + LIMITS.waitingExpensiveQueries;
    const requests = Array.from({ length: most }, () => ask(EXPENSIVE, 'ada'));
    await until(LIMITS.expensiveQueries, LIMITS.waitingExpensiveQueries);
    const { body, headers } = await ask(EXPENSIVE, 'ada');
    expect(body.errors?.[0]?.extensions.code).toBe('overloaded');
    expect(headers.get('retry-after')).toMatch(/^[1-3]$/);
    isOpen = true;
    for (const go of begun.splice(0)) go();
    await Promise.all(requests);
  });
});
