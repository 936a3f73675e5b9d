/**
 * Expensive queries run a few at a time: while they wait for statements, cheap operations of all callers
 * continue.
 */
import { afterEach, expect, test } from 'vitest';
import { onAbort } from '../../src/core/deadline.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { type AppSettings, startApp } from '../support/app.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { membersOf } from '../support/test-doubles.ts';

/** Above `LIMITS.expensiveCost`. */
const EXPENSIVE = '{ orders(userId: 1, limit: 100) { nodes { id items { name } } } }';
const CHEAP = '{ me { name } }';

/** Starts a server whose expensive queries wait in their first statement until they are released. */
function startGated(engine: TestEngine, options: AppSettings = {}) {
  /** The queries whose first statement was requested, each with the function that releases it. */
  const begun: (() => void)[] = [];
  let isOpen = false;
  const around = (database: OpenDatabase): OpenDatabase => ({
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
  const app = startApp(engine, { around, ...options });

  afterEach(async () => {
    release();
    await until(0, 0);
    isOpen = false;
  });

  function release(): void {
    isOpen = true;
    for (const go of begun.splice(0)) go();
  }

  /** Resolves when this many run and this many wait. */
  function until(taken: number, waiting: number): Promise<void> {
    const { expensiveQueries } = app.services;
    return waitUntil(
      () => expensiveQueries.taken === taken && expensiveQueries.waiting === waiting,
      `${taken} expensive queries to run and ${waiting} to wait`,
    );
  }

  const ask = (query: string, as: 'ada' | 'vic') => app.graphql(query, {}, { as });
  return { app, begun, release, until, ask };
}

describeEachEngine('expensive queries', (engine) => {
  const { app, begun, release, until, ask } = startGated(engine);

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
    release();
    for (const response of await Promise.all([...requests, other]))
      expect(response.body.errors).toBeUndefined();
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
    release();
    await Promise.all(requests);
  });
});

describeEachEngine('expensive queries with a short deadline', (engine) => {
  const { release, until, ask } = startGated(engine, { operations: { deadline: 1000 } });

  test('release their places when they time out', async () => {
    const responses = await Promise.all(
      Array.from({ length: LIMITS.expensiveQueries + 1 }, () => ask(EXPENSIVE, 'ada')),
    );
    for (const { body } of responses) expect(body.errors?.[0]?.extensions.code).toBe('timeout');
    release();
    await until(0, 0);
  });
});
