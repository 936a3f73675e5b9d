/** Times of filters that are more precise than stored ones: each list has exactly the rows before and after them. */
import { getNamedType } from 'graphql';
import { expect, test } from 'vitest';
import { rootFields } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';

interface Listed {
  readonly list: { readonly nodes: readonly { readonly createdAt: string }[] };
}

/** The root fields that a time filters. Each has both filters, and nodes with the compared time. */
const FIELDS = rootFields
  .filter(
    ({ operation, field }) =>
      operation === 'query' && field.args.some(({ type }) => getNamedType(type).name === 'DateTime'),
  )
  .map(({ field }) => field);

describeEachEngine('a filter by a time within a millisecond', (engine) => {
  const app = startApp(engine);

  test.each(FIELDS)('of $name', async ({ name, args }) => {
    const times = args.filter(({ type }) => getNamedType(type).name === 'DateTime').map((arg) => arg.name);
    expect(times).toEqual(['createdAfter', 'createdBefore']);
    app.clock.advance(5291);
    await placeOrder(app);
    const at = app.clock().toISOString();
    const within = at.replace('Z', '900Z');
    const finds = async (filter: string) => {
      const document = `{ list: ${name}(first: 100, ${filter}) { nodes { createdAt } } }`;
      const response = await app.graphql<Listed>(document, {}, { as: 'ada' });
      expect(codesOf(response)).toEqual([]);
      return response.body.data?.list.nodes.some(({ createdAt }) => createdAt === at);
    };
    expect(await finds(`createdBefore: "${within}"`)).toBe(true);
    expect(await finds(`createdBefore: "${at}"`)).toBe(false);
    expect(await finds(`createdAfter: "${within}"`)).toBe(false);
    const before = new Date(app.clock().getTime() - 1).toISOString();
    expect(await finds(`createdAfter: "${before}", createdBefore: "${within}"`)).toBe(true);
    expect(await finds(`createdAfter: "${at}", createdBefore: "${within}"`)).toBe(false);
  });
});
