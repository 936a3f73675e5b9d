/** The number of statements of common reads, over both doors, and how many of them run in sequence. */
import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { membersOf } from '../support/test-doubles.ts';

const ITEMS = 'items { name qty unitPrice }';

interface Read {
  readonly title: string;
  readonly query: string;
  /** The same as a route, if there is one. */
  readonly path?: string;
  /** All statements. */
  readonly statements: number;
  /** How often a statement is sent while none is in flight: the number of round trips, if each takes one. */
  readonly trips: number;
}

const READS: readonly Read[] = [
  {
    title: 'an order with its items',
    query: `{ order(id: 1) { id total status ${ITEMS} } }`,
    path: '/v1/orders/1',
    statements: 1,
    trips: 1,
  },
  {
    title: 'an order without them',
    query: '{ order(id: 1) { id total status } }',
    statements: 1,
    trips: 1,
  },
  {
    title: 'a page of orders with their items, and the total',
    query: `{ orders(userId: 1, limit: 20) { nodes { id total ${ITEMS} } pageInfo { total } } }`,
    path: '/v1/users/1/orders?limit=20',
    statements: 2,
    trips: 1,
  },
  {
    title: "the specification's user, with the last three orders and two items of each",
    query: '{ user(id: 1) { name orders(last: 3) { id total items(first: 2) { name qty } } } }',
    statements: 2,
    trips: 2,
  },
];

/** How often a read is repeated to find the lowest number of round trips. */
const ATTEMPTS = 5;

describeEachEngine('the statements of a read', (engine) => {
  let running = 0;
  let trips = 0;
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      if (running === 0) trips += 1;
      running += 1;
      try {
        return await database.run(statement, params, signal, flow);
      } finally {
        running -= 1;
      }
    },
  });
  const app = startApp(engine, { around });

  /** Warms up with one request, and then counts. */
  async function count(ask: () => Promise<{ status: number; text: string }>) {
    await app.signIn('ada');
    await ask();
    let least = Number.POSITIVE_INFINITY;
    // On a busy machine, the first of several concurrent statements may return before the next is sent, but
    // not in every repetition.
    for (let n = 0; n < ATTEMPTS; n += 1) {
      app.forgetStatements();
      trips = 0;
      const response = await ask();
      expect(response.status, response.text).toBe(200);
      expect(response.text).not.toContain('"errors"');
      least = Math.min(least, trips);
    }
    return { names: app.statements.join(), statements: app.statements.length, trips: least };
  }

  test.each(READS)('over GraphQL: $title', async ({ query, statements, trips: most }) => {
    const counted = await count(() => app.graphql(query, {}, { as: 'ada' }));
    expect(counted, counted.names).toMatchObject({ statements, trips: most });
  });

  test.each(READS.filter(({ path }) => path))(
    'over REST: $title',
    async ({ path = '', statements, trips: most }) => {
      const counted = await count(() => app.get(path, { as: 'ada' }));
      expect(counted, counted.names).toMatchObject({ statements, trips: most });
    },
  );
});
