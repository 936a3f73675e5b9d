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
  type SelectionSetNode,
} from 'graphql';
import { placesIn, setsBelow } from './expand.ts';

/** As much of JSON Schema as fast-json-stringify goes by. */
interface WriterSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, WriterSchema>>;
  readonly items?: WriterSchema;
}

/** Writes the `data` of a response as JSON text, from what an `Execute` gave. */
export type WriteData = (data: unknown) => string;

/**
 * Compiles the writer of an expanded operation: the text is the one that JSON.stringify would give for what graphql-js
 * gives, with every leaf serialized as its scalar does.
 */
export function compileWriter(schema: GraphQLSchema, operation: OperationDefinitionNode): WriteData {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}s.`);
  // `root` is nullable: an error of a non-null field takes all of `data` with it.
  const shape = schemaOf(schema, root, [operation.selectionSet]);
  // fast-json-stringify declares its input as mutable and does not write to it.
  return fastJsonStringify(shape as Parameters<typeof fastJsonStringify>[0]);
}

function schemaOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): WriterSchema {
  const shape = presentSchema(schema, getNullableType(type), sets);
  // A schema without a type takes null as it takes everything.
  return isNonNullType(type) || !shape.type ? shape : { ...shape, nullable: true };
}

function presentSchema(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): WriterSchema {
  if (isListType(type)) return { type: 'array', items: schemaOf(schema, type.ofType, sets) };
  if (isLeafType(type)) return isEnumType(type) ? { type: 'string' } : (LEAVES[type.name] ?? {});
  // A union has `__typename` alone.
  const fields = 'getFields' in type ? type.getFields() : {};
  const properties = placesIn(sets).map((place): [string, WriterSchema] => {
    const field = fields[place.nodes[0].name.value];
    // Fields without a type here are `__typename`, and what introspection gives.
    return [place.name, field ? schemaOf(schema, field.type, setsBelow(place)) : {}];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** How leaves are written. What is not here is written as it is. */
const LEAVES: Readonly<Record<string, WriterSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};
