/** Every route uses the compiled executor: its selections can be compiled, including fragments on any type. */
import { expect, test } from 'vitest';
import { compileOperation } from '../../src/pipeline/compile.ts';
import { routeName, routes, schema } from '../support/api.ts';

test('every route runs compiled', () => {
  const interpreted = routes.filter(
    ({ operation: { expanded } }) => compileOperation(schema, expanded) === undefined,
  );
  expect(interpreted.map(routeName)).toEqual([]);
});
