/** A page of the default size is a usual operation: it does not wait for one of the few places for expensive queries. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { costOf } from '../../src/rest/openapi/cost.ts';
import { routeName, routes } from '../support/operations.ts';

test('no route is expensive with its default page size', () => {
  const expensive = routes.filter((route) => route.method === 'GET' && costOf(route) >= LIMITS.expensiveCost);
  expect(expensive.map(routeName)).toEqual([]);
});
