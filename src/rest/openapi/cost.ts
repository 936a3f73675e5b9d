import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import type { Route } from '../compile/route.ts';

/** Returns the maximum cost of a route in points, with its required variables only: pages then have their default size. */
export function costOf({ price, variables }: Route): number {
  const required = variables.filter((variable) => variable.required);
  return price.requested(Object.fromEntries(required.map(({ name, type }) => [name, minimalValue(type)])));
}

/** Returns a minimal value of a type. The cost does not depend on the value itself. */
function minimalValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return minimalValue(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, minimalValue(field.type)]));
  }
  if (!isScalarType(type)) return null;
  return MINIMAL_SCALARS[type.name] ?? '1';
}

const MINIMAL_SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-01-31T09:30:00.000Z',
};
