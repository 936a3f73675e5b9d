/** A page of the default size is a usual operation: it does not wait for one of the few places for expensive queries. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { costOf } from '../../src/rest/openapi/cost.ts';
import { routeName, routes } from '../support/operations.ts';

/** The list of refunds returns up to 100 by default, as it did before it had pages. */
const LARGER_BY_DEFAULT = ['GET /v2/charges/{charge_id}/refunds'];

test('no route is expensive with its default page size', () => {
  const expensive = routes.filter((route) => route.method === 'GET' && costOf(route) >= LIMITS.expensiveCost);
  expect(expensive.map(routeName)).toEqual(LARGER_BY_DEFAULT);
});
