import {
  type ExecutionResult,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { DateTime, Decimal, Json } from '../graphql/scalars.ts';
import type { Context } from './context.ts';
import { type Place, placesIn, setsBelow } from './expand.ts';

/** Runs an operation. Leaves are not serialized: ids are numbers, times are `Date`. */
export type Execute = (
  /** The event of a subscription; undefined for queries and mutations. */
  root: unknown,
  context: Context,
  /** As the client sent them, after successful coercion. */
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

const asItIs = (value: unknown) => value;

/** The writer of a response serializes leaves by their types, which takes less time than checking each of them before. */
const RAW_LEAVES = {
  disableLeafSerialization: true,
  customSerializers: Object.fromEntries([DateTime, Decimal, Json].map(({ name }) => [name, asItIs])),
};

/**
 * Compiles an expanded operation into one function.
 *
 * @returns undefined where graphql-jit would give another result than graphql-js, or none: graphql-js runs it then.
 */
export function compileOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Execute | undefined {
  if (isOutOfTheOrdinary(schema, operation)) return undefined;
  const document = { kind: Kind.DOCUMENT, definitions: [operation] } as const;
  const compiled = compileQuery(schema, document, operation.name?.value, {
    ...RAW_LEAVES,
    // Errors have a code and are made where they happen: a second stack for each says nothing more.
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  // graphql-jit copies the variables.
  return (root, context, variables) => compiled.query(root, context, variables as Record<string, unknown>);
}

/** Known differences of graphql-jit from graphql-js. */
function isOutOfTheOrdinary(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  return (
    isSerial(operation) ||
    hasInheritedVariables(operation) ||
    hasConditionalPlaces(operation) ||
    hasCustomDefaults(schema, operation) ||
    hasNarrowingFragments(schema, operation) ||
    hasPlace(operation, ({ name, nodes }) => name === '__proto__' || isIntrospection(nodes[0].name.value))
  );
}

/** graphql-jit goes on with the next field of a mutation after one failed that must not be null; graphql-js ends there. */
const isSerial = ({ operation, selectionSet }: OperationDefinitionNode): boolean =>
  operation === 'mutation' && placesIn([selectionSet]).length > 1;

/** graphql-jit finds a variable that was left out on the prototype of all objects, where it has the name of a member of that. */
const hasInheritedVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): boolean =>
  variableDefinitions.some(({ variable }) => variable.name.value in Object.prototype);

const isIntrospection = (field: string) => field === '__schema' || field === '__type';

function hasPlace(operation: OperationDefinitionNode, is: (place: Place) => boolean): boolean {
  const within = (sets: readonly SelectionSetNode[]): boolean =>
    placesIn(sets).some((place) => is(place) || within(setsBelow(place)));
  return within([operation.selectionSet]);
}

/**
 * Whether a field that is merged of several stands under a condition in one of them. Where it comes in the response depends on
 * which of them are included, and compiled code has one order.
 */
function hasConditionalPlaces({ selectionSet }: OperationDefinitionNode): boolean {
  const within = (sets: readonly SelectionSetNode[]): boolean => {
    const places = placesIn(sets);
    const conditional = new Set(sets.flatMap((set) => conditionalIn(set, false)));
    return places.some(
      (place) =>
        (place.nodes.length > 1 && place.nodes.some((node) => conditional.has(node))) ||
        within(setsBelow(place)),
    );
  };
  return within([selectionSet]);
}

/** The fields of a selection that stand under `@skip` or `@include`, or in a fragment that does. */
function conditionalIn(set: SelectionSetNode, isAlready: boolean): FieldNode[] {
  return set.selections.flatMap((selection): FieldNode[] => {
    const isConditional =
      isAlready || Boolean(selection.directives?.some(({ name }) => CONDITIONS.has(name.value)));
    if (selection.kind === Kind.INLINE_FRAGMENT) return conditionalIn(selection.selectionSet, isConditional);
    return selection.kind === Kind.FIELD && isConditional ? [selection] : [];
  });
}

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * Whether a fragment is for some of the types that a value may have. Then the fields of the response, and their order, depend on the
 * value, and a compiled writer has one order.
 */
function hasNarrowingFragments(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
): boolean {
  const within = (type: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD || !selection.selectionSet) return false;
      if (selection.kind === Kind.FIELD) {
        const field = type && 'getFields' in type ? type.getFields()[selection.name.value] : undefined;
        return within(field && getNamedType(field.type), selection.selectionSet);
      }
      const { typeCondition } = selection;
      const narrowed = typeCondition ? schema.getType(typeCondition.name.value) : type;
      return (isAbstractType(type) && narrowed !== type) || within(narrowed, selection.selectionSet);
    });
  return within(schema.getRootType(operation), selectionSet);
}

/** graphql-jit writes the default of a variable as JSON, which a value of our own scalars may not be. */
function hasCustomDefaults(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  return variableDefinitions.some(({ type, defaultValue }) => {
    if (!defaultValue) return false;
    const named = getNamedType(typeFromAST(schema, type as never) as GraphQLInputType);
    return isInputObjectType(named) || (isScalarType(named) && !isSpecifiedScalarType(named));
  });
}
