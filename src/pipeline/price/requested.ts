/**
 * The maximum cost of an operation, known before it runs. The operation is compiled into a sum once, which each request
 * evaluates with its variables.
 */
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { memberOf } from '../../core/json.ts';
import { LIMITS } from '../../core/limits.ts';
import { CONDITIONS } from '../response-fields.ts';
import { INTROSPECTION, type ListSize, type Price, type Prices } from './prices.ts';

/** Variables with their defaults, coerced as the executor does it. */
type Variables = Readonly<Record<string, unknown>>;

/** A number that may depend on variables. */
type CostExpression = number | ((variables: Variables) => number);

/** What the cost of a selection depends on in the field above it. */
interface Above {
  readonly type: GraphQLCompositeType;
  /** The fields of that type whose length was requested by the field above. */
  readonly sizedFields: ReadonlySet<string>;
  readonly length: CostExpression;
}

const NOT_SIZED = { sizedFields: new Set<string>(), length: 0 };

/** The cost of an expanded operation, at least 1, as a number or a function of its coerced variables. `pageMax` caps the sizes of pages. */
export function requestedCost(
  schema: GraphQLSchema,
  prices: Prices,
  operation: OperationDefinitionNode,
  pageMax: number,
): CostExpression {
  const root = schema.getRootType(operation.operation);
  if (!root) return 1;
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const sum = costOf(operation.selectionSet, { type: root, ...NOT_SIZED });
  return typeof sum === 'number' ? Math.max(1, sum) : (variables) => Math.max(1, sum(variables));

  function costOf({ selections }: SelectionSetNode, above: Above): CostExpression {
    return add(
      selections.map((node) => {
        if (node.kind === Kind.FRAGMENT_SPREAD) return 0;
        const cost = node.kind === Kind.FIELD ? costOfField(node, above) : costOfFragment(node, above);
        return cost === 0 ? 0 : underConditions(node.directives, cost);
      }),
    );
  }

  function costOfFragment({ typeCondition, selectionSet }: InlineFragmentNode, above: Above): CostExpression {
    const condition = typeCondition && schema.getType(typeCondition.name.value);
    const type = isCompositeType(condition) ? condition : above.type;
    return costOf(selectionSet, { ...above, type });
  }

  function costOfField(node: FieldNode, { type, sizedFields, length }: Above): CostExpression {
    const name = node.name.value;
    const introspection = INTROSPECTION.get(name);
    if (introspection !== undefined) return introspection;
    const field = 'getFields' in type ? type.getFields()[name] : undefined;
    // In a validated document, only `__typename` is not a field of its type.
    if (!field) return 0;
    const { size, ...price } = prices.of(field, isMutation && type === root);
    const below = getNamedType(field.type);
    if (!isCompositeType(below) || !node.selectionSet) return price.weight;
    const asked = size && requestedLength(field, node, size, pageMax);
    const sized = size && asked !== undefined ? { sizedFields: size.sizedFields, length: asked } : NOT_SIZED;
    const inner = costOf(node.selectionSet, { type: below, ...sized });
    const ownLength = sized.sizedFields.size > 0 ? undefined : asked;
    return total(price, sizedFields.has(name) ? length : (ownLength ?? LIMITS.unknownListLength), inner);
  }
}

/** The sum of a field's own points and those of each of its objects with everything below. */
function total(
  { weight, objectWeight, lists }: Omit<Price, 'size'>,
  length: CostExpression,
  inner: CostExpression,
): CostExpression {
  // The innermost of nested lists has the requested length.
  const count = lists === 0 ? 1 : length;
  const factor = LIMITS.unknownListLength ** Math.max(0, lists - 1);
  if (typeof count === 'number' && typeof inner === 'number') {
    return weight + factor * count * (objectWeight + inner);
  }
  return (variables) =>
    weight + factor * numberOf(count, variables) * (objectWeight + numberOf(inner, variables));
}

function add(sums: readonly CostExpression[]): CostExpression {
  let constant = 0;
  const others: Exclude<CostExpression, number>[] = [];
  for (const sum of sums) {
    if (typeof sum === 'number') constant += sum;
    else others.push(sum);
  }
  if (others.length === 0) return constant;
  return (variables) => others.reduce((points, sum) => points + sum(variables), constant);
}

const numberOf = (cost: CostExpression, variables: Variables): number =>
  typeof cost === 'number' ? cost : cost(variables);

/** Drops the cost of a selection that `@skip` or `@include` excludes. */
function underConditions(directives: readonly DirectiveNode[] = [], sum: CostExpression): CostExpression {
  return directives.reduce((cost: CostExpression, { name, arguments: given }) => {
    const value = given?.find((argument) => argument.name.value === 'if')?.value;
    if (!CONDITIONS.has(name.value) || !value) return cost;
    const leavesOut = name.value === 'skip';
    if (value.kind === Kind.BOOLEAN && value.value === leavesOut) return 0;
    if (value.kind !== Kind.VARIABLE) return cost;
    const variable = value.name.value;
    return (variables) => (variables[variable] === leavesOut ? 0 : numberOf(cost, variables));
  }, sum);
}

/**
 * The length that the slicing arguments of a field request. Defaults count if none of the arguments has a value. A negative number counts as
 * 0, since no list is shorter; refusing it is up to `@constraint`. A requested size and that of a page are at most `pageMax`, as in resolvers.
 */
function requestedLength(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  { assumed, slicing, isPage, requireOne }: ListSize,
  pageMax: number,
): CostExpression {
  const values = slicing.map((path) => argumentAt(node, path));
  const defaults = slicing.map((path) => defaultAt(field, path)).filter((value) => typeof value === 'number');
  const length = (variables: Variables) => {
    const said = values.map((value) => value(variables)).filter((value) => typeof value === 'number');
    const given = said.length > 0 ? said : defaults;
    if (requireOne && given.length !== 1) {
      const names = slicing.map((path) => path.join('.')).join(', ');
      throw new ApiError('graphql_validation_failed', {
        message: `${field.name} needs exactly one of ${names}.`,
      });
    }
    if (given.length === 0 && !isPage) return assumed;
    const asked = given.length > 0 ? Math.max(0, ...given) : assumed;
    return Math.min(asked, pageMax);
  };
  const isVariable = node.arguments?.some(({ value }) => hasVariable(value)) || requireOne;
  return isVariable ? length : length({});
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.OBJECT) return value.fields.some((member) => hasVariable(member.value));
  return value.kind === Kind.LIST && value.values.some(hasVariable);
}

/** Returns a function for the value of an argument, or of a member of it: undefined if it is missing, null for an explicit null. */
function argumentAt(
  node: FieldNode,
  [name, ...members]: readonly string[],
): (variables: Variables) => unknown {
  const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
  return (variables) => (given ? members.reduce(memberOf, valueFromASTUntyped(given, variables)) : undefined);
}

function defaultAt({ args }: GraphQLField<unknown, unknown>, [name, ...members]: readonly string[]): unknown {
  return members.reduce(memberOf, args.find((argument) => argument.name === name)?.defaultValue);
}
