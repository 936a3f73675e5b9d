import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';

/** A field of the schema, which is resolved with the context of a request. */
export type Field = GraphQLField<unknown, Context>;

/** The fields that may run for a name that is selected on a type: on an abstract type, one for each of its possible types. */
export function possibleFields(
  schema: GraphQLSchema,
  type: GraphQLNamedType | null | undefined,
  name: string,
): readonly Field[] {
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
  return types.flatMap((each) => each.getFields()[name] ?? []);
}
