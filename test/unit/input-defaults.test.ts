/** Omitted members of inputs get their defaults in compiled operations as well. */
import { inspect } from 'node:util';
import { buildSchema, execute, getOperationAST, isInputObjectType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { compileOperation } from '../../src/pipeline/compile.ts';
import type { Context } from '../../src/pipeline/context.ts';

const SCHEMA = buildSchema(`
  scalar DateTime
  enum Color { red green }
  input Nullable { color: Color = red, size: Int = 2, names: [String!] = ["a"] }
  input Required { color: Color! = red }
  input Nested { size: Int, parts: [Required!]! }
  input Circle { next: Circle, size: Int! = 2 }
  input Custom { at: DateTime }
  input Whole { part: Nullable = {size: 3} }
  type Query {
    nullable(of: Nullable!): String
    required(of: Required!): String
    nested(of: Nested!): String
    circle(of: Circle!): String
    custom(of: Custom!): String
    whole(of: Whole!): String
  }
`);

const custom = SCHEMA.getType('Custom');
if (isInputObjectType(custom)) Object.assign(custom.getFields()['at'] ?? {}, { defaultValue: new Date(0) });

// Each field returns its argument.
for (const field of Object.values(SCHEMA.getQueryType()?.getFields() ?? {})) {
  field.resolve = (_root, args) => inspect(args.of);
}

test.each([
  ['Nullable', {}],
  ['Required', {}],
  ['Required', { color: 'green' }],
  ['Nested', { parts: [{}] }],

  ['Circle', { next: {} }],
  ['Custom', {}],
  ['Whole', {}],
])('%s of %j', async (type, of) => {
  const document = parse(`query ($of: ${type}!) { ${type.toLowerCase()}(of: $of) }`);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has an operation.');
  const compiled = compileOperation(SCHEMA, operation);
  // The fields use no context.
  const result = await compiled?.(undefined, {} as Context, { of });
  if (type === 'Nullable') expect(compiled).toBeDefined();
  if (compiled) expect(result).toEqual(execute({ schema: SCHEMA, document, variableValues: { of } }));
});
