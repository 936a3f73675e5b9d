/** Every spelling of a value has one internal form, so that requests under an idempotency key are equal. */
import { GraphQLScalarType, type GraphQLSchema, isScalarType, parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../support/api.ts';

/** Equivalent literals of a document and values of JSON, for every scalar. */
const SPELLINGS: Readonly<
  Record<string, readonly { readonly literals: readonly string[]; readonly values: readonly unknown[] }[]>
> = {
  Decimal: [
    { literals: ['5', '5.0', '5.00', '5e0', '50e-1', '0.5E+1'], values: [5] },
    { literals: ['0', '-0', '0.00', '0e9'], values: [0, -0] },
    { literals: ['-19.99', '-19.990', '-1999e-2'], values: [-19.99] },
    { literals: ['0.000001', '1e-6'], values: [0.000001] },
    { literals: ['0.0000001', '1e-7', '1.0e-7'], values: [1e-7] },
    { literals: ['1e21', '1000000000000000000000'], values: [1e21] },
    { literals: ['1e30', '10e29'], values: [1e30] },
    { literals: ['123456789012345', '1.23456789012345e14'], values: [123456789012345] },
  ],
  DateTime: [
    {
      literals: ['"2026-01-31T09:30:00.000Z"', '"2026-01-31T10:30:00+01:00"', '"2026-01-31t09:30:00z"'],
      values: ['2026-01-31T09:30:00Z'],
    },
  ],
  JSON: [{ literals: ['{ a: 5.0, b: [1] }', '{ a: 5, b: [1.0] }'], values: [{ a: 5, b: [1] }] }],
  ID: [{ literals: ['7', '"7"'], values: [7, '7'] }],
  Int: [{ literals: ['7'], values: [7] }],
  Float: [{ literals: ['5', '5.00', '50e-1'], values: [5] }],
  String: [{ literals: ['"a"', '"\\u0061"', '"""a"""'], values: ['a'] }],
  Boolean: [{ literals: ['true'], values: [true] }],
};

const scalarsOf = (all: GraphQLSchema) => Object.values(all.getTypeMap()).filter(isScalarType);

describe('a scalar', () => {
  test.each(scalarsOf(schema).map((scalar) => [scalar.name, scalar] as const))('%s', (name, scalar) => {
    expect(scalar).toBeInstanceOf(GraphQLScalarType);
    const groups = SPELLINGS[name] ?? [];
    expect(groups, 'Add spellings of this scalar.').not.toEqual([]);
    for (const { literals, values } of groups) {
      const inside = [
        ...literals.map((text) => scalar.parseLiteral(parseValue(text))),
        ...values.map((value) => scalar.parseValue(value)),
      ].map((value) => JSON.stringify(value));
      expect(new Set(inside), `${literals} ${JSON.stringify(values)}`).toHaveProperty('size', 1);
    }
  });
});
