/** How much of its time a server spends on finding out which webhooks there is something to do for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { createDispatcher } from '../../src/events/webhooks/dispatcher.ts';
import { createMetrics } from '../../src/metrics.ts';
import { membersOf } from '../support/around-database.ts';
import { describeEachEngine } from '../support/engines.ts';

/** Milliseconds that a search takes, as among very many webhooks. */
const SEARCH = 40;

/** Milliseconds for which something wakes the dispatcher all the time. */
const BUSY = 800;

describeEachEngine('a dispatcher that is woken all the time', (engine) => {
  test('searches for a fifth of it', async () => {
    let searches = 0;
    const { database } = engine;
    const slow: Database = {
      ...membersOf(database),
      async run(statement, params, signal) {
        if (statement.name === 'webhookAttempts.due') {
          searches += 1;
          await sleep(SEARCH);
        }
        return database.run(statement, params, signal);
      },
    };
    const failures: unknown[] = [];
    const dispatcher = createDispatcher({
      database: slow,
      clock: systemClock,
      send: () => Promise.reject(new Error('There is nothing to send.')),
      metrics: createMetrics(),
      onFailure: (error) => failures.push(error),
    });
    dispatcher.start();
    const waking = setInterval(() => dispatcher.wake(), 1);
    await sleep(BUSY);
    clearInterval(waking);
    await dispatcher.stop();
    expect(searches).toBeGreaterThan(1);
    // The last one may just have begun.
    expect(searches).toBeLessThanOrEqual(BUSY / 5 / SEARCH + 1);
    expect(failures).toEqual([]);
  });
});
