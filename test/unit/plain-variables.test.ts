/** Variables that skip coercion are those that graphql-js accepts and returns unchanged, but for numbers as ids. */
import fc from 'fast-check';
import {
  buildSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  type VariableDefinitionNode,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { plainVariables } from '../../src/pipeline/plain-variables.ts';

const SCHEMA = buildSchema(`
  enum Color { red green }
  input Box { size: Int }
  scalar Day
  type Query { field(a: ID, b: Float, c: Color, d: Box, e: Day, f: Boolean, g: String): Int }
`);

const TYPES = ['ID', 'String', 'Int', 'Float', 'Boolean', 'Color', 'Box', 'Day', '[Int]'].flatMap((type) => [
  type,
  `${type}!`,
]);

const DEFAULTS = ['', ' = null'];

const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'red',
  'blue',
  '1',
  0,
  -0,
  1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  true,
  false,
  [],
  [1],
  {},
  { size: 1 },
];

function operationWith(definitions: string): {
  operation: OperationDefinitionNode;
  definitions: readonly VariableDefinitionNode[];
} {
  const [operation] = parse(`query (${definitions}) { field }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('This is no operation.');
  return { operation, definitions: operation.variableDefinitions ?? [] };
}

describe.each(TYPES)('$a: %s', (type) => {
  test.each(DEFAULTS.filter((ending) => !(type.endsWith('!') && ending !== '')))('with "%s"', (ending) => {
    const { operation, definitions } = operationWith(`$a: ${type}${ending}`);
    const arePlain = plainVariables(SCHEMA, operation);
    for (const value of VALUES) {
      const variables = value === undefined ? {} : { a: value };
      if (!arePlain(variables)) continue;
      const isId = type.startsWith('ID') && typeof value === 'number';
      expect(getVariableValues(SCHEMA, definitions, variables)).toEqual({
        coerced: isId ? { a: String(value) } : variables,
      });
    }
  });
});

test('the usual values of built-in scalars and enums skip coercion, and nothing inherited does', () => {
  const { operation } = operationWith('$a: ID!, $b: Int, $c: Color, $d: Boolean, $e: Float, $f: String');
  const arePlain = plainVariables(SCHEMA, operation);
  expect(arePlain({ a: '1', b: 2, c: 'red', d: true, e: 1.5, f: 'text' })).toBe(true);
  expect(arePlain({ a: '1' })).toBe(true);
  expect(arePlain({ a: 1 })).toBe(true);
  expect(arePlain({ a: 1.5 })).toBe(false);
  const { operation: inherited } = operationWith('$toString: String, $constructor: Int');
  expect(plainVariables(SCHEMA, inherited)({})).toBe(false);
});

test('any JSON value', () => {
  const { operation, definitions } = operationWith('$a: ID, $b: Float!, $c: Color');
  const arePlain = plainVariables(SCHEMA, operation);
  const value = fc.oneof(fc.string(), fc.double(), fc.jsonValue());
  fc.assert(
    fc.property(value, value, fc.constantFrom('red', 'green', 'blue', null), (a, b, c) => {
      const variables = { a, b, c };
      if (!arePlain(variables)) return;
      const id = typeof a === 'number' ? String(a) : a;
      expect(getVariableValues(SCHEMA, definitions, variables).coerced).toEqual({ a: id, b, c });
    }),
  );
});
