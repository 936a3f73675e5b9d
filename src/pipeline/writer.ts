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
import { placesIn, setsBelow, setsOf, type TypedSet } from './places.ts';

/** The part of JSON Schema that is passed to fast-json-stringify. */
interface WriterSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, WriterSchema>>;
  readonly items?: WriterSchema;
}

/** Writes the `data` of a result of an `Execute` as JSON text. */
export type WriteData = (data: unknown) => string;

/**
 * Compiles the writer of an expanded operation. Its text is the same as that of JSON.stringify for the result of graphql-js,
 * in which every leaf is serialized by its scalar.
 */
export function compileWriter(schema: GraphQLSchema, operation: OperationDefinitionNode): WriteData {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}s.`);
  // `root` is nullable, since an error of a non-null field can make all of `data` null.
  const shape = schemaOf(schema, root, setsOf(schema, operation));
  // fast-json-stringify declares its input as mutable and does not write to it.
  return fastJsonStringify(shape as Parameters<typeof fastJsonStringify>[0]);
}

function schemaOf(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): WriterSchema {
  const shape = presentSchema(schema, getNullableType(type), sets);
  // A schema without a type accepts every value, including null.
  return isNonNullType(type) || !shape.type ? shape : { ...shape, nullable: true };
}

function presentSchema(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  sets: readonly TypedSet[],
): WriterSchema {
  if (isListType(type)) return { type: 'array', items: schemaOf(schema, type.ofType, sets) };
  if (isLeafType(type)) return isEnumType(type) ? { type: 'string' } : (LEAVES[type.name] ?? {});
  // A union only has `__typename`.
  const fields = 'getFields' in type ? type.getFields() : {};
  const properties = placesIn(schema, sets).map((place): [string, WriterSchema] => {
    const field = fields[place.fields[0].node.name.value];
    // Fields that are not found here are `__typename` and those of introspection.
    return [place.name, field ? schemaOf(schema, field.type, setsBelow(place)) : {}];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** How leaves are written. Leaves of other types are written like JSON.stringify does. */
const LEAVES: Readonly<Record<string, WriterSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};
