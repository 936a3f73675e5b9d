/** The share of its time that a server spends on searching for webhooks with due messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { Dispatcher } from '../../src/webhooks/dispatcher.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { membersOf, testVault } from '../support/test-doubles.ts';

/** The duration of a search in milliseconds, as with very many webhooks. */
const SEARCH = 40;

/** Searches to observe, and the pauses between them. */
const SEARCHES = 4;

describeEachEngine('a dispatcher that is woken continuously', (engine) => {
  test('rests four times as long as it searched', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const { database } = engine;
    const slow: OpenDatabase = {
      ...membersOf(database),
      async run(statement, params, signal) {
        if (statement.name === 'webhookDeliveries.behind') begun.push(performance.now());
        const rows = await database.run(statement, params, signal);
        if (statement.name === 'webhookAttempts.due') {
          await sleep(SEARCH);
          ended.push(performance.now());
        }
        return rows;
      },
    };
    const failures: unknown[] = [];
    const dispatcher = new Dispatcher({
      database: slow,
      wakes: { onWake: () => () => {} },
      clock: systemClock,
      send: () => Promise.reject(new Error('There is nothing to send.')),
      metrics: createMetrics(),
      vault: testVault(),
      onFailure: (error) => failures.push(error),
    });
    dispatcher.start();
    const waking = setInterval(() => dispatcher.wake(), 1);
    await waitUntil(() => ended.length === SEARCHES, 'some searches');
    clearInterval(waking);
    await dispatcher.stop();
    const pauses = begun.slice(1).map((time, index) => time - (ended[index] ?? 0));
    expect(pauses.length).toBeGreaterThanOrEqual(SEARCHES - 1);
    // Timers are exact to a millisecond.
    for (const pause of pauses) expect(pause).toBeGreaterThan(4 * (SEARCH - 1) - 1);
    expect(failures).toEqual([]);
  });
});
