/** Compiles operations: into the function that runs one, and into the one that writes its result. */
import fastJsonStringify from 'fast-json-stringify';
import {
  type ExecutionResult,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { DateTime, Decimal, Json } from '../graphql/scalars.ts';
import type { Context } from './context.ts';
import { hasKnownDifference } from './jit-differences.ts';
import { conditionalFields, responseFieldsIn, setsBelow, setsOf, type TypedSet } from './response-fields.ts';

/** The variables of an operation, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

/** Runs an operation. Leaves of the result are not serialized: ids are numbers, times are `Date`. */
export type Execute = (
  /** The event of a subscription; undefined for queries and mutations. */
  root: unknown,
  context: Context,
  /** Only after successful coercion. */
  variables: Variables,
) => ExecutionResult | Promise<ExecutionResult>;

/** Compiles an expanded operation into one function; undefined if graphql-jit cannot, or its result would differ: then graphql-js runs it. */
export function compileOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Execute | undefined {
  if (hasKnownDifference(schema, operation)) return undefined;
  const document = { kind: Kind.DOCUMENT, definitions: [withOptionalVariables(operation)] } as const;
  const compiled = compileQuery(schema, document, operation.name?.value, {
    // The writer of the response serializes leaves by their types, which is faster than serializing each of them before.
    disableLeafSerialization: true,
    customSerializers: Object.fromEntries(
      [DateTime, Decimal, Json].map(({ name }) => [name, (value) => value]),
    ),
    // Errors are created where they occur, with a stack of their own: a second stack adds no information.
    disablingCapturingStackErrors: true,
  });
  return isCompiledQuery(compiled) ? compiled.query : undefined;
}

/** Makes variables with a default nullable: graphql-jit ignores the default of a non-null one. Coercion has already refused null for it. */
function withOptionalVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const { variableDefinitions = [] } = operation;
  return {
    ...operation,
    variableDefinitions: variableDefinitions.map((definition) =>
      definition.defaultValue && definition.type.kind === Kind.NON_NULL_TYPE
        ? { ...definition, type: definition.type.type }
        : definition,
    ),
  };
}

/** Writes the `data` of results of an operation. */
export type Writer = (data: unknown) => string;

/** The shape of values: the part of JSON Schema that is passed to fast-json-stringify. */
interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** Compiles the writer of an expanded operation, with the text that JSON.stringify writes for the result of graphql-js. */
export function compileWriter(schema: GraphQLSchema, operation: OperationDefinitionNode): Writer {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}s.`);
  // `root` is nullable, since an error of a non-null field can make all of `data` null.
  return jsonWriter(shapeOf(schema, root, setsOf(schema, operation)));
}

/** Returns a writer of values as JSON, compiled for the first value: a server has hundreds of writers, and uses few of them. */
export function jsonWriter(schema: object): Writer {
  let write: Writer | undefined;
  return (value) => {
    // The library declares its input as mutable, but does not write to it.
    write ??= fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]);
    return write(value);
  };
}

function shapeOf(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  const shape = presentShape(schema, getNullableType(type), sets);
  // A schema without a type accepts every value, including null.
  return isNonNullType(type) || !shape.type ? shape : { ...shape, nullable: true };
}

function presentShape(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  if (isListType(type)) return { type: 'array', items: shapeOf(schema, type.ofType, sets) };
  if (isLeafType(type)) return isEnumType(type) ? { type: 'string' } : (LEAVES[type.name] ?? {});
  // A union only has `__typename`.
  const fields = 'getFields' in type ? type.getFields() : {};
  const properties = responseFieldsIn(schema, sets).map((responseField): [string, Shape] => {
    const field = fields[responseField.fields[0].node.name.value];
    // Fields that are not found here are `__typename` and those of introspection.
    return [responseField.name, field ? shapeOf(schema, field.type, setsBelow(responseField)) : {}];
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
