import {
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
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
