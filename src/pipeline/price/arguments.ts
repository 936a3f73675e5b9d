/** Evaluates arguments of fields, as soon as the variables are known. */
import { type FieldNode, type GraphQLField, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import type { ListSize } from './prices.ts';

/** Variables with their defaults, coerced as the executor does it. */
export type Variables = Readonly<Record<string, unknown>>;

/** A number that may depend on variables. */
export type CostExpression = number | ((variables: Variables) => number);

/**
 * The length that the slicing arguments of a field request. Defaults count if none of the arguments has a value. A negative number counts as
 * 0, since no list is shorter; refusing it is up to `@constraint`. A requested size and that of a page are at most `pageMax`, as in resolvers.
 */
export function requestedLength(
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
  return dependsOnVariables(node) || requireOne ? length : length({});
}

function dependsOnVariables({ arguments: given }: FieldNode): boolean {
  return (given ?? []).some(({ value }) => hasVariable(value));
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

/** The default of an argument, or of a member of it. */
function defaultAt({ args }: GraphQLField<unknown, unknown>, [name, ...members]: readonly string[]): unknown {
  return members.reduce(memberOf, args.find((argument) => argument.name === name)?.defaultValue);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
