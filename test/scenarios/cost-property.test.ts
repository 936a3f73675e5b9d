/**
 * No query that is accepted returns more objects than its price says.
 *
 * The queries are the same in each run. `QUERIES=50000 SEED=1 npx vitest run test/scenarios/cost-property.test.ts` tries others,
 * and more of them.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { objectsIn, randomQuery } from '../support/random-queries.ts';

/** On SQLite, where a query takes no time; what a query costs does not depend on the engine. */
const QUERIES = { sqlite: Number(process.env['QUERIES'] ?? 1000), postgres: 100 };
const SEED = Number(process.env['SEED'] ?? 20_260_801);
const AT_ONCE = 20;

describeEachEngine('the price of a query', (engine) => {
  const app = startApp(engine);

  test(`${QUERIES[engine.name]} random queries return no more objects than they paid for`, async () => {
    const queries = fc.sample(randomQuery(3), { seed: SEED, numRuns: QUERIES[engine.name] });
    const seen = new Map<string, number>();
    const ask = async ({ query, variables }: (typeof queries)[number]) => {
      const answer = await app.graphql(query, variables, { as: 'ada' });
      const [code = 'answered'] = codesOf(answer);
      seen.set(code, (seen.get(code) ?? 0) + 1);
      expect(answer.status, `${query}\n${answer.text}`).toBeLessThan(500);
      // The answer itself is an object, and none that costs anything.
      const objects = Math.max(0, objectsIn(answer.body.data) - 1);
      const { requestedQueryCost = 0, actualQueryCost = 0 } = answer.cost ?? {};
      expect(objects, query).toBeLessThanOrEqual(requestedQueryCost);
      expect(objects, query).toBeLessThanOrEqual(actualQueryCost);
      // No one pays for more than was announced, as long as no list is longer than was assumed.
      expect(actualQueryCost, query).toBeLessThanOrEqual(requestedQueryCost);
    };
    for (let next = 0; next < queries.length; next += AT_ONCE) {
      await Promise.all(queries.slice(next, next + AT_ONCE).map(ask));
    }
    // Most of them say something: they are answered, some in part, and some are too expensive.
    expect(seen.get('answered') ?? 0).toBeGreaterThan(QUERIES[engine.name] / 5);
    expect(seen.get('cost_exceeded') ?? 0).toBeGreaterThan(0);
  }, 600_000);
});
