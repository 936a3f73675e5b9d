/** Compiles operations: into the function that runs one, and into the function that writes its result. */
import fastJsonStringify from 'fast-json-stringify';
import {
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { someNode } from '../graphql/field.ts';
import { DateTime, Decimal, Json } from '../graphql/scalars.ts';
import type { Context } from './context.ts';
import {
  conditionalFields,
  isIntrospection,
  type ResponseField,
  responseFieldsIn,
  setsBelow,
  setsOf,
  type TypedSet,
} from './response-fields.ts';
import { type Longest, longestOf, type Shape } from './response-size.ts';

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

/** Whether graphql-jit is known to run an expanded operation differently from graphql-js. */
export function hasKnownDifference(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  return (
    isSerial(schema, operation) ||
    hasInheritedVariables(operation) ||
    hasMisreadVariables(schema, operation) ||
    hasCustomDefaults(schema, operation) ||
    hasNarrowingFragments(schema, operation) ||
    hasUncompiledField(schema, setsOf(schema, operation))
  );
}

/** After a non-null field of a mutation has failed, graphql-jit continues with the next field, whereas graphql-js stops. */
const isSerial = (schema: GraphQLSchema, operation: OperationDefinitionNode): boolean =>
  operation.operation === 'mutation' && responseFieldsIn(schema, setsOf(schema, operation)).length > 1;

/** If a variable is omitted and named like a member of `Object.prototype`, graphql-jit reads that member. */
const hasInheritedVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): boolean =>
  variableDefinitions.some(({ variable }) => variable.name.value in Object.prototype);

/** Whether a variable may be null where null is refused, or absent in a literal object: graphql-jit would pass null in both cases. */
function hasMisreadVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  const { variableDefinitions = [] } = operation;
  /** Whether each nullable variable has a default. */
  const nullable = new Map(
    variableDefinitions
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable, defaultValue }) => [variable.name.value, defaultValue !== undefined]),
  );
  if (nullable.size === 0) return false;
  return someNode(schema, operation, (node, types) => {
    if (node.kind === Kind.VARIABLE)
      return nullable.has(node.name.value) && isNonNullType(types.getInputType());
    if (node.kind !== Kind.OBJECT_FIELD || node.value.kind !== Kind.VARIABLE) return false;
    return nullable.get(node.value.name.value) === false;
  });
}

/**
 * Whether a field at or below selections has a name that graphql-jit does not support, is one of introspection, or merges several of which
 * one is conditional: its position then depends on which are included, but compiled code has a fixed order.
 */
function hasUncompiledField(schema: GraphQLSchema, sets: readonly TypedSet[]): boolean {
  const conditional = conditionalFields(sets);
  const is = ({ name, fields }: ResponseField) =>
    name === '__proto__' ||
    isIntrospection(fields[0].node.name.value) ||
    (fields.length > 1 && fields.some(({ node }) => conditional.has(node)));
  return responseFieldsIn(schema, sets).some(
    (field) => is(field) || hasUncompiledField(schema, setsBelow(field)),
  );
}

/** Whether a fragment applies to some types of a value only: the fields then depend on the value, but a compiled writer has a fixed order. */
const hasNarrowingFragments = (schema: GraphQLSchema, operation: OperationDefinitionNode): boolean =>
  someNode(schema, operation, ({ kind }, types) => {
    const type = types.getParentType();
    return kind === Kind.INLINE_FRAGMENT && isAbstractType(type) && types.getType() !== type;
  });

/** graphql-jit serializes the default of a variable as JSON, which values of custom scalars may not support. */
function hasCustomDefaults(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  return variableDefinitions.some(({ type, defaultValue }) => {
    if (!defaultValue) return false;
    const named = getNamedType(typeFromAST(schema, type) as GraphQLInputType);
    return isInputObjectType(named) || (isScalarType(named) && !isSpecifiedScalarType(named));
  });
}

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
  return { write: jsonWriter(shape), longest: longestOf(shape) };
}

/** Returns a writer of values as JSON, compiled for the first value: a server has hundreds of writers, and uses few of them. */
export function jsonWriter(schema: object): Writer['write'] {
  let write: Writer['write'] | undefined;
  return (value) => {
    // The library declares its input as mutable, but does not write to it.
    write ??= fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]);
    return write(value);
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
