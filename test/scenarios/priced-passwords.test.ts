/** Hashing a password takes as long as thousands of reads, so each mutation that does pays for it. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Prices } from '../../src/pipeline/price/prices.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { GRAPH, GRAPH_CALLS } from '../access/shared/rules.ts';
import { rootFields, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { hashedSoFar } from '../support/vitest/cheap-argon2.ts';

const prices = new Prices(schema);

/** The callers of the rules with a complete sign-in in acme. */
const MEMBERS = { admin: 'ada', editor: 'ed' } as const;

/** Each mutation with a member that it permits, which are all except those that payment providers sign. */
const permitted = rootFields.flatMap(({ operation, name, field }) => {
  const column = (['admin', 'editor'] as const).find((each) => GRAPH[name]?.[each] === 'ok');
  return operation === 'mutation' && column ? [[name, MEMBERS[column], field] as const] : [];
});

describeOnSqlite('the price of a mutation', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);
  const hashing: string[] = [];

  describe('includes each password that it hashes:', () => {
    test.each(permitted)('%s', async (name, as, field) => {
      await app.signIn(as);
      const { document, variables } = (await GRAPH_CALLS[name]?.(fixtures)) ?? { document: '' };
      const before = hashedSoFar();
      const response = await app.graphql(document, variables, { as });
      const hashes = hashedSoFar() - before;
      expect(codesOf(response), response.text).toEqual([]);
      if (hashes > 0) hashing.push(name);
      expect(prices.of(field, true).weight).toBe(LIMITS.mutationWeight + hashes * LIMITS.hashCost);
    });

    test('some do', () =>
      expect(hashing).toEqual(expect.arrayContaining(['Mutation.login', 'Mutation.createMember'])));
  });
});
