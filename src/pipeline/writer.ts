import fastJsonStringify from 'fast-json-stringify';
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
} from 'graphql';
import { conditionalFields, responseFieldsIn, setsBelow, setsOf, type TypedSet } from './response-fields.ts';
import { type Longest, longestOf, type Shape } from './response-size.ts';

/** Writes the `data` of results of an operation. */
export interface Writer {
  readonly write: (data: unknown) => string;
  /** Returns the maximum length of that text in bytes, without writing it. */
  readonly longest: Longest;
}

/** Compiles the writer of an expanded operation, with the text that JSON.stringify writes for the result of graphql-js. */
export function compileWriter(schema: GraphQLSchema, operation: OperationDefinitionNode): Writer {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}s.`);
  // `root` is nullable, since an error of a non-null field can make all of `data` null.
  const shape = schemaOf(schema, root, setsOf(schema, operation));
  let compiled: Writer['write'] | undefined;
  return {
    write(data) {
      // By the first response, since routes of REST write their results in another form.
      // fast-json-stringify declares its input as mutable and does not write to it.
      compiled ??= fastJsonStringify(shape as Parameters<typeof fastJsonStringify>[0]);
      return compiled(data);
    },
    longest: longestOf(shape),
  };
}

function schemaOf(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  const shape = presentSchema(schema, getNullableType(type), sets);
  // A schema without a type accepts every value, including null.
  return isNonNullType(type) || !shape.type ? shape : { ...shape, nullable: true };
}

function presentSchema(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  if (isListType(type)) return { type: 'array', items: schemaOf(schema, type.ofType, sets) };
  if (isLeafType(type)) return isEnumType(type) ? { type: 'string' } : (LEAVES[type.name] ?? {});
  // A union only has `__typename`.
  const fields = 'getFields' in type ? type.getFields() : {};
  const properties = responseFieldsIn(schema, sets).map((responseField): [string, Shape] => {
    const field = fields[responseField.fields[0].node.name.value];
    // Fields that are not found here are `__typename` and those of introspection.
    return [responseField.name, field ? schemaOf(schema, field.type, setsBelow(responseField)) : {}];
  });
  // Code for objects that have all of their members is faster. It writes required members first, so all are, or none.
  const isComplete = conditionalFields(sets).size === 0;
  const required = isComplete ? properties.map(([name]) => name) : [];
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** How leaves are written. Leaves of other types are written like JSON.stringify does. */
const LEAVES: Readonly<Record<string, Shape>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};
