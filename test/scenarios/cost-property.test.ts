/**
 * A query never returns more objects than its price covers.
 * The queries are the same in each run. `QUERIES=50000 SEED=1 npx vitest run
 * test/scenarios/cost-property.test.ts` runs more, and others.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { objectsIn, randomQuery } from '../support/inputs/random-queries.ts';

/** More on SQLite, which is faster; the cost of a query does not depend on the engine. */
const QUERIES = { sqlite: Number(process.env['QUERIES'] ?? 1000), postgres: 100 };
const SEED = Number(process.env['SEED'] ?? 20_260_801);
const AT_ONCE = 20;

describeEachEngine('the price of a query', (engine) => {
  const app = startApp(engine);

  test(`${QUERIES[engine.name]} random queries return no more objects than they paid for`, async () => {
    const queries = fc.sample(randomQuery(3), { seed: SEED, numRuns: QUERIES[engine.name] });
    const seen = new Map<string, number>();
    const ask = async ({ query, variables }: (typeof queries)[number]) => {
      const response = await app.graphql(query, variables, { as: 'ada' });
      const [code = 'answered'] = codesOf(response);
      seen.set(code, (seen.get(code) ?? 0) + 1);
      expect(response.status, `${query}\n${response.text}`).toBeLessThan(500);
      // The response itself is an object without a cost.
      const objects = Math.max(0, objectsIn(response.body.data) - 1);
      const { requestedQueryCost = 0, actualQueryCost = 0 } = response.cost ?? {};
      expect(objects, query).toBeLessThanOrEqual(requestedQueryCost);
      expect(objects, query).toBeLessThanOrEqual(actualQueryCost);
      // No query costs more than its announced maximum, as long as no list is longer than assumed.
      expect(actualQueryCost, query).toBeLessThanOrEqual(requestedQueryCost);
    };
    for (let next = 0; next < queries.length; next += AT_ONCE) {
      await Promise.all(queries.slice(next, next + AT_ONCE).map(ask));
    }
    // The generator is useful: most queries run, some in part, and of a thousand some are too expensive.
    expect(seen.get('answered') ?? 0).toBeGreaterThan(QUERIES[engine.name] / 5);
    if (queries.length >= 1000) expect(seen.get('cost_exceeded') ?? 0).toBeGreaterThan(0);
  }, 600_000);
});
