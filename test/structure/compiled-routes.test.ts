/** Every route uses the compiled executor: its selections can be compiled, including fragments on any type. */
import { expect, test } from 'vitest';
import { compileOperation } from '../../src/pipeline/compile.ts';
import { expandOperation } from '../../src/pipeline/response-fields.ts';
import { routeName, routes, schema } from '../support/api.ts';

test('every route runs compiled', () => {
  const interpreted = routes.filter(({ document: { document, definition } }) => {
    const expanded = expandOperation(document, definition);
    return compileOperation(schema, expanded) === undefined;
  });
  expect(interpreted.map(routeName)).toEqual([]);
});
