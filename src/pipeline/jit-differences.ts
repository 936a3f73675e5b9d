/** Whether graphql-jit runs an operation as graphql-js does. */
import {
  type GraphQLInputType,
  type GraphQLNamedInputType,
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
import { someNode } from '../graphql/field.ts';
import {
  conditionalFields,
  isIntrospection,
  type ResponseField,
  responseFieldsIn,
  setsBelow,
  setsOf,
  type TypedSet,
} from './response-fields.ts';

/** Whether graphql-jit is known to run an expanded operation differently from graphql-js. */
export function hasKnownDifference(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  return (
    isSerial(schema, operation) ||
    hasInheritedVariables(operation) ||
    hasMisreadVariables(schema, operation) ||
    hasMisreadDefaults(schema, operation) ||
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

/** graphql-jit serializes defaults as JSON, which values of custom scalars may not support, and ignores those of non-null members of inputs. */
const hasMisreadDefaults = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean =>
  variableDefinitions.some(({ type: node, defaultValue }) => {
    const type = getNamedType(typeFromAST(schema, node) as GraphQLInputType);
    return (defaultValue && hasCustomValues(type)) || hasMisreadMembers(type, new Set());
  });

const hasCustomValues = (type: GraphQLNamedInputType): boolean =>
  isInputObjectType(type) || (isScalarType(type) && !isSpecifiedScalarType(type));

function hasMisreadMembers(input: GraphQLNamedInputType, seen: Set<GraphQLNamedInputType>): boolean {
  if (!isInputObjectType(input) || seen.has(input)) return false;
  seen.add(input);
  return Object.values(input.getFields()).some(({ type, defaultValue }) => {
    const named = getNamedType(type);
    const isMisread = isNonNullType(type) || hasCustomValues(named);
    return (defaultValue !== undefined && isMisread) || hasMisreadMembers(named, seen);
  });
}
