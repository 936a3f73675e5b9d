/** A page of the default size is a usual operation: it does not wait for one of the few places for expensive queries. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { routeName, routes } from '../support/api.ts';

test('no route is expensive with its default page size', () => {
  const expensive = routes.filter(
    (route) => route.method === 'GET' && route.operation.price.usual >= LIMITS.expensiveCost,
  );
  expect(expensive.map(routeName)).toEqual([]);
});

test('no document has a page size of its own: the default is that of the schema, which openapi.json describes', () => {
  const own = routes.filter(({ document: { definition } }) =>
    definition.variableDefinitions?.some(
      ({ variable, defaultValue }) => variable.name.value === 'limit' && defaultValue !== undefined,
    ),
  );
  expect(own.map(routeName)).toEqual([]);
});
