import {
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { Variables } from './compile.ts';

const INT_MAX = 2 ** 31 - 1;
const INT_MIN = -(2 ** 31);

const never = () => false;
const isText = (value: unknown) => typeof value === 'string';

/** The values that coercion leaves unchanged, by scalar type. */
const UNCHANGED: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: isText,
  String: isText,
  Int: (value) => Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX,
  Float: Number.isFinite,
  Boolean: (value) => typeof value === 'boolean',
};

/**
 * Returns a function for whether coercion (GraphQL, section 6.1.2) would return variables unchanged, so that it can be omitted. It is
 * false for variables that are invalid, have a default, or have a type other than a built-in scalar or an enum.
 */
export function plainVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (variables: Variables) => boolean {
  const checks = variableDefinitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    const nullable = type && getNullableType(type);
    const isUnchanged = isEnumType(nullable)
      ? (value: unknown) => isText(value) && nullable.getValue(String(value))?.value === value
      : (UNCHANGED[String(nullable)] ?? never);
    const isOptional = isInputType(type) && !isNonNullType(type);
    return { name: variable.name.value, isUnchanged, isOptional, hasDefault: defaultValue !== undefined };
  });
  return (variables) =>
    checks.every(({ name, isUnchanged, isOptional, hasDefault }) => {
      const value = variables[name];
      if (value === undefined) return isOptional && !hasDefault;
      return value === null ? isOptional : isUnchanged(value);
    });
}
